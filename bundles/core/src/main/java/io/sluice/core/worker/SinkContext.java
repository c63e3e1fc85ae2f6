package io.sluice.core.worker;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.sink.ErrorRecordReporter;
import io.openmessaging.connector.api.component.task.sink.SinkTaskContext;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.sluice.spi.PluginMetrics;
import io.sluice.spi.SinkTaskControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * What a sink task can see and ask of the runtime. Requests are noted here and carried out by the runner after the call in which they
 * were made. Belongs to the task's thread, but for the metrics.
 */
final class SinkContext implements SinkTaskContext, SinkTaskControl, PluginMetrics {

    private final TaskSetup setup;
    private final KeyValue config;
    private final TaskFigures figures;
    private final QueuePlaces places;
    private final ErrorRecordReporter reporter;
    private final Set<MessageQueue> assignment = new LinkedHashSet<>();
    private final Map<MessageQueue, Long> rewinds = new HashMap<>();
    private final Map<MessageQueue, Boolean> pauses = new HashMap<>();
    private Duration retryTimeout;
    private boolean commitRequested;

    SinkContext(TaskSetup setup, TaskFigures figures, QueuePlaces places, ErrorRecordReporter reporter) {
        this.setup = setup;
        this.config = KeyValues.of(setup.taskConfig());
        this.figures = figures;
        this.places = places;
        this.reporter = reporter;
    }

    void assign(Iterable<MessageQueue> queues) {
        assignment.clear();
        queues.forEach(assignment::add);
    }

    /** The rewinds asked for since the last call. */
    Map<MessageQueue, Long> takeRewinds() {
        Map<MessageQueue, Long> taken = new HashMap<>(rewinds);
        rewinds.clear();
        return taken;
    }

    /** The queues to pause (true) or resume (false) since the last call. */
    Map<MessageQueue, Boolean> takePauses() {
        Map<MessageQueue, Boolean> taken = new HashMap<>(pauses);
        pauses.clear();
        return taken;
    }

    Optional<Duration> takeRetryTimeout() {
        Optional<Duration> taken = Optional.ofNullable(retryTimeout);
        retryTimeout = null;
        return taken;
    }

    boolean takeCommitRequest() {
        boolean taken = commitRequested;
        commitRequested = false;
        return taken;
    }

    @Override
    public String getConnectorName() {
        return setup.connector();
    }

    @Override
    public String getTaskName() {
        return setup.name();
    }

    @Override
    public KeyValue configs() {
        return config;
    }

    @Override
    public void resetOffset(RecordPartition partition, RecordOffset offset) {
        rewinds.put(owned(partition), QueuePlaces.queueOffset(offset));
    }

    @Override
    public void resetOffset(Map<RecordPartition, RecordOffset> offsets) {
        offsets.forEach(this::resetOffset);
    }

    @Override
    public void pause(List<RecordPartition> partitions) {
        partitions.forEach(partition -> pauses.put(owned(partition), true));
    }

    @Override
    public void resume(List<RecordPartition> partitions) {
        partitions.forEach(partition -> pauses.put(owned(partition), false));
    }

    private MessageQueue owned(RecordPartition partition) {
        MessageQueue queue = QueuePlaces.queue(partition);
        if (!assignment.contains(queue)) {
            throw new IllegalArgumentException("task " + setup.name() + " does not own " + partition.getPartition() + "; it owns " + assignment);
        }
        return queue;
    }

    @Override
    public Set<RecordPartition> assignment() {
        Set<RecordPartition> partitions = new LinkedHashSet<>();
        new ArrayList<>(assignment).forEach(queue -> partitions.add(places.partition(queue)));
        return partitions;
    }

    @Override
    public ErrorRecordReporter errorRecordReporter() {
        return reporter;
    }

    @Override
    public void retryTimeout(Duration delay) {
        retryTimeout = delay;
    }

    @Override
    public void requestCommit() {
        commitRequested = true;
    }

    @Override
    public void count(String name, long amount) {
        figures.count(name, amount);
    }

    @Override
    public void gauge(String name, DoubleSupplier value) {
        figures.gauge(name, value);
    }
}
