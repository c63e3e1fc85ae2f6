package io.sluice.core.rocketmq;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * This worker's connection to one RocketMQ cluster. Shared by all tasks; any thread. The calls that reach the network are bounded by a
 * few seconds and end in a {@link RocketMqException} that says what was asked of whom and why it failed.
 */
public interface RocketMq extends AutoCloseable {

    /**
     * Makes sure that a topic exists and its route is known.
     *
     * @param queues the number of queues when it must be created
     */
    void ensureTopic(String topic, int queues);

    /** The queues of a topic, in a stable order. */
    List<MessageQueue> queues(String topic);

    /** The topics of the cluster without those of RocketMQ's own. */
    List<String> topics();

    /**
     * A sender of one task's records.
     *
     * @param owner the task's name, for log lines
     */
    RecordSender sender(String owner, SenderSettings settings);

    /**
     * A reader of one task's queues. It owns nothing at first; see {@link QueueReader#assign}.
     *
     * @param group the consumer group, under which RocketMQ's own tools show the lag
     */
    QueueReader reader(String owner, String group, ReaderSettings settings);

    /** The group's committed offsets of these queues; queues without one are left out. */
    Map<MessageQueue, Long> committed(String group, List<MessageQueue> queues);

    /** Commits the offsets of the next records to read; returns when the brokers have confirmed them. */
    void commit(String group, Map<MessageQueue, Long> offsets);

    /** Lets the brokers forget a group and its committed offsets; nothing happens where there is no such group. Nobody may read as that group. */
    void forgetGroup(String group);

    /** A topic with a single queue, used as a log. Nothing is asked of the brokers yet. */
    LogTopic log(String topic);

    /** The least offset that a queue still holds, and the offset that its next message will get. */
    Range range(MessageQueue queue);

    /** @param min the oldest message's offset @param max the next message's offset */
    record Range(long min, long max) { }

    /**
     * How a task's sender behaves.
     *
     * @param maxBatchBytes a batch is closed before it grows beyond this
     * @param maxBatchRecords or holds more records than this
     * @param linger how long a record may wait for company when its queue is idle; zero sends at once
     * @param maxBytesInFlight the sender is full when records of this size are neither acknowledged nor refused
     * @param queuesForNewTopics how many queues a topic gets that must be created
     */
    record SenderSettings(int maxBatchBytes, int maxBatchRecords, Duration linger, long maxBytesInFlight, int queuesForNewTopics) { }

    /**
     * How a task's reader behaves.
     *
     * @param maxBatchRecords the most records that one poll returns
     * @param maxBufferedBytes how much is pulled ahead, over all queues of the task
     */
    record ReaderSettings(int maxBatchRecords, long maxBufferedBytes) { }

    @Override
    void close();
}
