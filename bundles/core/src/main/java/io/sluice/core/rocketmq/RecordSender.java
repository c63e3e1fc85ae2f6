package io.sluice.core.rocketmq;

import java.time.Duration;
import java.util.Optional;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Sends messages so that the order within a queue is the order of the calls, across retries, broker restarts and everything else.
 *
 * <p>Each queue is a lane with one batch under way at a time; what arrives meanwhile makes up the next batch, so batches grow by
 * themselves under load and a lone record is sent at once. A batch that fails for a reason that may pass (broker away, busy, time-out)
 * is sent again with back-off until it succeeds or the sender is closed.
 *
 * <p>{@link #send} is called by one thread; listeners are called by RocketMQ's threads and must not block.
 */
public interface RecordSender extends AutoCloseable {

    /** Learns what became of one message. Exactly one of the two is called, unless the sender is closed before. */
    interface Listener {

        /** The broker has it. */
        void acknowledged(MessageQueue queue, long queueOffset);

        /** It can never be sent as it is: too large, not allowed. Other messages are not affected. */
        void refused(RocketMqException reason);
    }

    /**
     * Queues a message. Does not wait, even when the sender is full.
     *
     * @param hash chooses the queue among those of the message's topic; equal hashes go to the same queue as long as the topic has the
     *     same number of queues
     */
    void send(Message message, int hash, Listener listener);

    /** Waits until less than the limit is in flight. @return false if it was still full when the time was over */
    boolean awaitCapacity(Duration timeout) throws InterruptedException;

    /** Sends what lingers and waits until nothing is in flight. @return false if something still was when the time was over */
    boolean flush(Duration timeout) throws InterruptedException;

    /** Why messages are not getting through at present; empty when they are. */
    Optional<String> trouble();

    /** Forgets what was not acknowledged and frees everything. */
    @Override
    void close();
}
