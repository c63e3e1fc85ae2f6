package io.sluice.core.worker;

import io.openmessaging.connector.api.component.task.sink.SinkTask;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.data.SchemaAndValue;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.core.definition.ConnectorConfig;
import io.sluice.core.rocketmq.QueueReader;
import io.sluice.core.rocketmq.RocketMq;
import io.sluice.core.rocketmq.RocketMqException;
import io.sluice.core.rocketmq.WireFormat;
import io.sluice.core.rocketmq.WireRecord;
import io.sluice.runtime.StateInfo;
import io.sluice.spi.PartitionListener;
import io.sluice.spi.RecordNames;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a sink task: reads its share of the topics' queues, converts and transforms the records, puts them, and commits the offsets of what
 * the task has flushed to the consumer group {@code connect-<name>}.
 */
final class SinkTaskRunner extends TaskRunner {

    private static final Logger LOG = LoggerFactory.getLogger(SinkTaskRunner.class);
    private static final Duration POLL = Duration.ofMillis(100);
    /** A sink may be started before anybody has written to its topic. */
    private static final int QUEUES_OF_NEW_TOPICS = 4;
    private static final long SHARE_CHECK_NANOS = Duration.ofSeconds(10).toNanos();

    private final RocketMq rocketMq;
    private final ConnectorConfig.Sink settings;
    private final WireFormat wire;
    private final ErrorPolicy policy;
    private final String group;
    private final SinkTask task;
    private final QueuePlaces places = new QueuePlaces();
    /** The offset of the next record to put, by owned queue. */
    private final Map<MessageQueue, Long> positions = new HashMap<>();
    private final Map<MessageQueue, Long> committed = new HashMap<>();
    private RecordPipeline pipeline;
    private QueueReader reader;
    private DeadLetters deadLetters;
    private SinkErrors errors;
    private SinkContext context;
    private long lastCommitNanos = System.nanoTime();
    private long lastShareNanos;

    SinkTaskRunner(TaskSetup setup, RocketMq rocketMq, WireFormat wire, String workerId, Clock clock, boolean paused,
                   Consumer<StateInfo> listener) {
        super(setup, workerId, clock, paused, listener);
        this.rocketMq = rocketMq;
        this.settings = setup.config().sink();
        this.wire = wire;
        this.policy = new ErrorPolicy("task " + setup.name(), setup.config(), stopSignal, figures);
        this.group = groupOf(setup.connector());
        this.task = (SinkTask) setup.task();
    }

    /** The consumer group of a connector. RocketMQ allows few characters in its name; others become an underscore. */
    static String groupOf(String connector) {
        return "connect-" + connector.replaceAll("[^a-zA-Z0-9_-]", "_");
    }

    @Override
    protected void setUp() throws Exception {
        pipeline = RecordPipeline.open(setup.config(), setup.plugins());
        reader = rocketMq.reader("task " + setup.name(), group, new RocketMq.ReaderSettings(settings.putMaxRecords(), settings.readAheadMaxBytes()));
        if (setup.config().deadLetterTopic().isPresent()) {
            String topic = wire.topic(setup.config().deadLetterTopic().get());
            deadLetters = reach(() -> new DeadLetters(setup, topic, setup.config().deadLetterContext(), rocketMq, figures));
        }
        errors = new SinkErrors(policy, Optional.ofNullable(deadLetters));
        context = new SinkContext(setup, figures, places, errors);
        task.init(context);
        var config = KeyValues.of(setup.taskConfig());
        task.validate(config);
        taskStarted();
        task.start(config);
        share();
    }

    /** Looks which queues are this task's, and takes or gives up what has changed. */
    private void share() throws Exception {
        lastShareNanos = System.nanoTime();
        Set<MessageQueue> owned = new HashSet<>(QueueShare.of(reach(this::queues), setup.id(), setup.taskCount()));
        if (owned.equals(positions.keySet())) {
            return;
        }
        Set<MessageQueue> lost = new HashSet<>(positions.keySet());
        lost.removeAll(owned);
        Set<MessageQueue> gained = new HashSet<>(owned);
        gained.removeAll(positions.keySet());
        if (!lost.isEmpty()) {
            commit();
            closed(lost);
            positions.keySet().removeAll(lost);
            committed.keySet().removeAll(lost);
        }
        positions.putAll(reach(() -> startOffsets(gained)));
        context.assign(positions.keySet());
        if (task instanceof PartitionListener listener && !gained.isEmpty()) {
            listener.opened(partitions(gained));
        }
        positions.putAll(context.takeRewinds());
        reader.assign(positions);
        LOG.info("task {}: reads {}", setup.name(), QueuePlaces.text(positions));
    }

    private List<MessageQueue> queues() {
        List<MessageQueue> queues = new ArrayList<>();
        for (String topic : settings.topics()) {
            rocketMq.ensureTopic(wire.topic(topic), QUEUES_OF_NEW_TOPICS);
            queues.addAll(rocketMq.queues(wire.topic(topic)));
        }
        return queues;
    }

    private Map<MessageQueue, Long> startOffsets(Set<MessageQueue> queues) {
        Map<MessageQueue, Long> offsets = new HashMap<>(rocketMq.committed(group, List.copyOf(queues)));
        committed.putAll(offsets);
        for (MessageQueue queue : queues) {
            offsets.computeIfAbsent(queue, unused -> {
                RocketMq.Range range = rocketMq.range(queue);
                return settings.fromLast() ? range.max() : range.min();
            });
        }
        return offsets;
    }

    private List<RecordPartition> partitions(Collection<MessageQueue> queues) {
        return queues.stream().map(places::partition).toList();
    }

    private void closed(Collection<MessageQueue> queues) {
        if (task instanceof PartitionListener listener && !queues.isEmpty()) {
            listener.closed(partitions(queues));
        }
    }

    @Override
    protected void step() throws Exception {
        List<MessageExt> batch = reader.poll(POLL);
        showTrouble(reader.trouble());
        if (!batch.isEmpty()) {
            figures.recordsRead.add(batch.size());
            errors.takeInHand(batch);
            if (!put(convert(batch))) {
                return;
            }
            for (MessageExt message : batch) {
                positions.put(SinkErrors.queueOf(message), message.getQueueOffset() + 1);
            }
        }
        carryOutRequests();
        if (context.takeCommitRequest() || System.nanoTime() - lastCommitNanos >= setup.config().offsetInterval().toNanos()) {
            tryCommit();
        }
        if (System.nanoTime() - lastShareNanos >= SHARE_CHECK_NANOS) {
            share();
        }
    }

    private List<ConnectRecord> convert(List<MessageExt> batch) throws TaskFailure, InterruptedException {
        List<ConnectRecord> records = new ArrayList<>(batch.size());
        for (MessageExt message : batch) {
            try {
                ConnectRecord record = toRecord(message);
                if (pipeline.hasTransforms()) {
                    record = transform(record);
                }
                if (record == null) {
                    figures.recordsFiltered.increment();
                } else {
                    records.add(record);
                }
            } catch (RecordFailure failure) {
                errors.conversionFailed(message, failure);
            }
        }
        return records;
    }

    private ConnectRecord transform(ConnectRecord record) throws RecordFailure, InterruptedException {
        return policy.attempt(Stage.TRANSFORMATION, () -> pipeline.transform(record));
    }

    private ConnectRecord toRecord(MessageExt message) throws RecordFailure, InterruptedException {
        WireRecord wired = policy.attempt(Stage.VALUE_CONVERTER, () -> wire.decode(message));
        String topic = wired.topic();
        SchemaAndValue key = wired.key() == null ? null
            : policy.attempt(Stage.KEY_CONVERTER, () -> pipeline.keyFromBytes(topic, wired.key()));
        SchemaAndValue value = wired.value() == null ? null
            : policy.attempt(Stage.VALUE_CONVERTER, () -> pipeline.valueFromBytes(topic, wired.value()));
        ConnectRecord record = new ConnectRecord(places.partition(SinkErrors.queueOf(message)), QueuePlaces.offset(message.getQueueOffset()),
            wired.timestamp() == null ? Long.valueOf(message.getBornTimestamp()) : wired.timestamp(),
            key == null ? null : key.schema(), key == null ? null : key.value(),
            value == null ? null : value.schema(), value == null ? null : value.value());
        wired.extensions().forEach(record::addExtension);
        if (!topic.equals(message.getTopic())) {
            record.addExtension(RecordNames.TOPIC_EXTENSION, topic);
        }
        return record;
    }

    /** Puts a batch until the task takes it. @return false if the task is to stop before that */
    private boolean put(List<ConnectRecord> records) throws Exception {
        if (records.isEmpty()) {
            return true;
        }
        Backoff backoff = null;
        while (true) {
            try {
                task.put(records);
                figures.recordsPut.add(records.size());
                if (backoff != null) {
                    showTrouble(Optional.empty());
                }
                return true;
            } catch (RetriableException e) {
                backoff = backoff == null ? new Backoff(setup.config().retryDelayMax()) : backoff;
                figures.retries.increment();
                Duration pause = context.takeRetryTimeout().orElse(backoff.next());
                showTrouble(Optional.of("put failed and is tried again: " + e.getMessage()));
                if (stopSignal.await(pause)) {
                    return false;
                }
            }
        }
    }

    private void carryOutRequests() {
        Map<MessageQueue, Long> rewinds = context.takeRewinds();
        rewinds.forEach((queue, offset) -> {
            reader.seek(queue, offset);
            positions.put(queue, offset);
        });
        context.takePauses().forEach((queue, pause) -> {
            if (pause) {
                reader.pause(List.of(queue));
            } else {
                reader.resume(List.of(queue));
            }
        });
    }

    /** Commits, and lets it pass if RocketMQ cannot be reached now: the next commit covers it. */
    private void tryCommit() throws Exception {
        try {
            commit();
        } catch (RocketMqException e) {
            figures.commitFailures.increment();
            showTrouble(Optional.of(e.getMessage()));
        }
    }

    private void commit() throws Exception {
        lastCommitNanos = System.nanoTime();
        Map<RecordPartition, RecordOffset> offered = new HashMap<>();
        positions.forEach((queue, offset) -> {
            if (!offset.equals(committed.get(queue))) {
                offered.put(places.partition(queue), QueuePlaces.offset(offset));
            }
        });
        if (offered.isEmpty() || deadLetters != null && !deadLetters.flush(Duration.ofSeconds(5))) {
            return;
        }
        Map<RecordPartition, RecordOffset> accepted;
        try {
            accepted = task.preCommit(offered);
        } catch (RetriableException e) {
            showTrouble(Optional.of("flush failed and is tried again: " + e.getMessage()));
            return;
        }
        Map<MessageQueue, Long> offsets = new HashMap<>();
        if (accepted != null) {
            accepted.forEach((partition, offset) -> offsets.put(QueuePlaces.queue(partition), QueuePlaces.queueOffset(offset)));
        }
        offsets.keySet().retainAll(positions.keySet());
        if (!offsets.isEmpty()) {
            rocketMq.commit(group, offsets);
            committed.putAll(offsets);
            figures.commits.increment();
        }
        carryOutRequests();
    }

    @Override
    protected void hold() throws Exception {
        showTrouble(reader.trouble());
    }

    @Override
    protected void holdingChanged(boolean holding) throws Exception {
        if (holding) {
            tryCommit();
            reader.pause(positions.keySet());
        } else {
            reader.resume(positions.keySet());
        }
    }

    @Override
    protected void windDown() throws Exception {
        tryCommit();
        closed(positions.keySet());
    }

    @Override
    protected void salvage() throws Exception {
        // What the failed task has put may not be flushed, and it cannot be asked any more; its last commit stands.
    }

    @Override
    protected void release() {
        abandon();
        if (pipeline != null) {
            pipeline.close();
        }
    }

    @Override
    protected void abandon() {
        QueueReader open = reader;
        if (open != null) {
            open.close();
        }
        DeadLetters letters = deadLetters;
        if (letters != null) {
            letters.close();
        }
    }
}
