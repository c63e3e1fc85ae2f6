package io.sluice.core.worker;

import io.openmessaging.connector.api.component.task.source.SourceTask;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.core.definition.ConnectorConfig;
import io.sluice.core.rocketmq.RecordSender;
import io.sluice.core.rocketmq.RocketMq;
import io.sluice.core.rocketmq.RocketMqException;
import io.sluice.core.rocketmq.WireFormat;
import io.sluice.core.store.OffsetStore;
import io.sluice.runtime.StateInfo;
import io.sluice.spi.RecordNames;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Runs a source task: polls it, transforms and converts its records, sends them, and commits the offset of a record once that record
 * and all before it in its source partition are acknowledged.
 */
final class SourceTaskRunner extends TaskRunner {

    private static final Duration CAPACITY_WAIT = Duration.ofMillis(100);
    private static final Duration LONGEST_IDLE_PAUSE = Duration.ofMillis(100);
    private static final long QUICK_NANOS = Duration.ofMillis(1).toNanos();

    private final RocketMq rocketMq;
    private final OffsetStore offsets;
    private final ConnectorConfig.Source settings;
    private final WireFormat wire;
    private final ErrorPolicy errors;
    private final OffsetTracker<Outgoing> tracker = new OffsetTracker<>();
    private final OffsetCommitter committer;
    private final Queue<Outgoing> refused = new ConcurrentLinkedQueue<>();
    /** Records that were polled but not yet taken into the tracker, when a pause, stop or full sender comes in between. */
    private final ArrayDeque<ConnectRecord> backlog = new ArrayDeque<>();
    private final SourceTask task;
    private RecordPipeline pipeline;
    private RecordSender sender;
    private Backoff pollBackoff;
    private int emptyPolls;

    SourceTaskRunner(TaskSetup setup, RocketMq rocketMq, OffsetStore offsets, WireFormat wire, String workerId, Clock clock,
                     boolean paused, Consumer<StateInfo> listener) {
        super(setup, workerId, clock, paused, listener);
        this.rocketMq = rocketMq;
        this.offsets = offsets;
        this.settings = setup.config().source();
        this.wire = wire;
        this.errors = new ErrorPolicy("task " + setup.name(), setup.config(), stopSignal, figures);
        this.committer = new OffsetCommitter(setup.connector(), offsets, tracker, figures, setup.config().offsetInterval());
        this.task = (SourceTask) setup.task();
    }

    /** One record on its way, and what became of it. */
    private final class Outgoing extends OffsetTracker.Entry implements RecordSender.Listener {

        private MessageQueue queue;
        private long queueOffset;
        private RocketMqException refusal;

        Outgoing(ConnectRecord record) {
            super(record);
        }

        @Override
        public void acknowledged(MessageQueue toQueue, long atOffset) {
            queue = toQueue;
            queueOffset = atOffset;
            figures.recordsSent.increment();
            done();
        }

        @Override
        public void refused(RocketMqException reason) {
            refusal = reason;
            SourceTaskRunner.this.refused.add(this);
        }
    }

    @Override
    protected void setUp() throws Exception {
        pipeline = RecordPipeline.open(setup.config(), setup.plugins());
        sender = rocketMq.sender("task " + setup.name(), new RocketMq.SenderSettings(settings.batchMaxBytes(), settings.batchMaxRecords(),
            settings.linger(), settings.inFlightMaxBytes(), settings.queuesOfNewTopics()));
        if (settings.topic().isPresent()) {
            String topic = wire.topic(settings.topic().get());
            reach(() -> {
                rocketMq.ensureTopic(topic, settings.queuesOfNewTopics());
                return topic;
            });
        }
        figures.ownGauge("records.in.flight", tracker::size);
        task.init(new SourceContext(setup, offsets, figures));
        var config = KeyValues.of(setup.taskConfig());
        task.validate(config);
        taskStarted();
        task.start(config);
    }

    @Override
    protected void step() throws Exception {
        settle();
        if (!sender.awaitCapacity(CAPACITY_WAIT)) {
            showTrouble(sender.trouble());
            return;
        }
        showTrouble(sender.trouble());
        if (backlog.isEmpty()) {
            poll();
        }
        while (!backlog.isEmpty() && sender.awaitCapacity(Duration.ZERO)) {
            handle(backlog.peekFirst());
            backlog.removeFirst();
        }
    }

    private void poll() throws Exception {
        long begin = System.nanoTime();
        List<ConnectRecord> records;
        try {
            records = task.poll();
        } catch (RetriableException e) {
            pollBackoff = pollBackoff == null ? new Backoff(setup.config().retryDelayMax()) : pollBackoff;
            figures.retries.increment();
            showTrouble(Optional.of("poll failed and is tried again: " + e));
            stopSignal.await(pollBackoff.next());
            return;
        }
        pollBackoff = null;
        if (records != null && !records.isEmpty()) {
            emptyPolls = 0;
            figures.recordsPolled.add(records.size());
            backlog.addAll(records);
        } else if (System.nanoTime() - begin < QUICK_NANOS) {
            // A task that has nothing and says so at once would otherwise keep a processor busy.
            Duration pause = Duration.ofMillis(1L << Math.min(emptyPolls++, 7));
            stopSignal.await(pause.compareTo(LONGEST_IDLE_PAUSE) < 0 ? pause : LONGEST_IDLE_PAUSE);
        }
    }

    private void handle(ConnectRecord record) throws Exception {
        Outgoing outgoing = new Outgoing(record);
        tracker.add(outgoing);
        try {
            ConnectRecord transformed = pipeline.hasTransforms()
                ? errors.attempt(Stage.TRANSFORMATION, () -> pipeline.transform(withTopic(record))) : record;
            if (transformed == null) {
                figures.recordsFiltered.increment();
                outgoing.done();
                return;
            }
            send(transformed, outgoing);
        } catch (RecordFailure failure) {
            skipOrFail(failure, outgoing);
        }
    }

    private void send(ConnectRecord record, Outgoing outgoing) throws RecordFailure, TaskFailure, InterruptedException {
        String topic = topicOf(record);
        byte[] key = record.getKey() == null ? null
            : errors.attempt(Stage.KEY_CONVERTER, () -> pipeline.keyToBytes(topic, record.getKeySchema(), record.getKey()));
        byte[] value = errors.attempt(Stage.VALUE_CONVERTER, () -> pipeline.valueToBytes(topic, record));
        Message message = errors.attempt(Stage.SEND, () -> wire.encode(topic, key, value, record.getTimestamp(), record.getExtensions()));
        int hash = key != null ? Arrays.hashCode(key) : partitionHash(outgoing.record());
        sender.send(message, hash, outgoing);
    }

    /** Tells transforms and predicates the topic, by the extension in which they may name another one. */
    private ConnectRecord withTopic(ConnectRecord record) {
        if (namedTopic(record).isEmpty() && settings.topic().isPresent()) {
            record.addExtension(RecordNames.TOPIC_EXTENSION, settings.topic().get());
        }
        return record;
    }

    private static Optional<String> namedTopic(ConnectRecord record) {
        return Optional.ofNullable(record.getExtensions() == null ? null : record.getExtension(RecordNames.TOPIC_EXTENSION))
            .filter(topic -> !topic.isBlank());
    }

    private String topicOf(ConnectRecord record) throws TaskFailure {
        Optional<String> named = namedTopic(record);
        if (named.isPresent()) {
            return named.get();
        }
        return settings.topic().orElseThrow(() -> new TaskFailure(
            "a record names no topic and the connector has none; set 'connect.topicname'", null));
    }

    private static int partitionHash(ConnectRecord record) {
        return record.getPosition() == null || record.getPosition().getPartition() == null ? 0
            : record.getPosition().getPartition().hashCode();
    }

    private void skipOrFail(RecordFailure failure, Outgoing outgoing) throws TaskFailure {
        errors.skipOrFail(failure, placeOf(outgoing.record()), outgoing.record());
        outgoing.done();
    }

    private static String placeOf(ConnectRecord record) {
        return record.getPosition() == null ? "record without a position"
            : "source partition " + record.getPosition().getPartition() + ", source offset " + record.getPosition().getOffset();
    }

    /** Deals with what became of records that were sent, and commits if it is time. */
    private void settle() throws TaskFailure {
        Outgoing bad;
        while ((bad = refused.poll()) != null) {
            skipOrFail(new RecordFailure(Stage.SEND, bad.refusal), bad);
        }
        tracker.drain(this::tellTask);
        if (committer.commitIfDue()) {
            task.commit();
        }
    }

    private void tellTask(Outgoing outgoing) {
        Map<String, String> place = outgoing.queue == null ? Map.of() : Map.of(
            RecordNames.TOPIC, outgoing.queue.getTopic(),
            RecordNames.BROKER_NAME, outgoing.queue.getBrokerName(),
            RecordNames.QUEUE_ID, Integer.toString(outgoing.queue.getQueueId()),
            RecordNames.QUEUE_OFFSET, Long.toString(outgoing.queueOffset));
        task.commit(outgoing.record(), place);
    }

    @Override
    protected void hold() throws Exception {
        settle();
        showTrouble(sender.trouble());
    }

    @Override
    protected void holdingChanged(boolean holding) {
        // Nothing to do: what is under way is acknowledged while the task holds still.
    }

    @Override
    protected void windDown() throws Exception {
        // Records that were polled but not sent yet are dropped: their offsets are not committed, so they are polled again.
        backlog.clear();
        sender.flush(windDownTime());
        settle();
        if (committer.commitNow(windDownTime())) {
            task.commit();
        }
    }

    @Override
    protected void salvage() throws Exception {
        if (sender == null) {
            return;
        }
        sender.flush(Duration.ofSeconds(2));
        tracker.drain(unused -> { });
        committer.commitNow(Duration.ofSeconds(2));
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
        RecordSender open = sender;
        if (open != null) {
            open.close();
        }
    }
}
