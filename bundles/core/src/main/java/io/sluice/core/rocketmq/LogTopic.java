package io.sluice.core.rocketmq;

import java.time.Duration;
import java.util.List;

/**
 * A topic with a single queue, so that all who read it see the same messages in the same order. Nobody's progress is kept at the broker.
 * Every call is bounded and fails with a {@link RocketMqException}, which is a {@link MissingTopicException} if the topic is gone. Any thread.
 */
public interface LogTopic {

    /** A message. @param storedAt when the broker stored it, in milliseconds of its clock */
    record Message(long offset, long storedAt, byte[] body) { }

    /**
     * What was found.
     *
     * @param messages in order, beginning with the offset that was asked for unless that was deleted
     * @param least the offset of the oldest message
     * @param end the offset behind the newest message
     */
    record Read(List<Message> messages, long least, long end) {

        public Read {
            messages = List.copyOf(messages);
        }
    }

    /**
     * What the broker is set to.
     *
     * @param maxMessageBytes the largest message that it takes
     * @param retention after which time it deletes messages
     */
    record Limits(int maxMessageBytes, Duration retention) { }

    String name();

    /**
     * Makes sure that the topic exists and has one queue; it is created if it is missing.
     *
     * @return true if it had to be created
     * @throws RocketMqException that says what to create if that is not allowed, or that it has more queues
     */
    boolean ensure();

    RocketMq.Range range();

    /** Appends a message. If this fails, the message may be in the log nevertheless, or come into it later. */
    void send(byte[] body, Duration timeout);

    /**
     * Reads some messages, as many as the broker gives at once.
     *
     * @param wait how long to wait for one if there is none; the broker may take five seconds longer. Zero does not wait
     */
    Read read(long from, Duration wait) throws InterruptedException;

    Limits limits();
}
