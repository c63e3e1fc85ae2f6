package io.sluice.core.rocketmq;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Reads queues from given offsets, pulling ahead in the background up to the bound of its settings. Used by one task on one thread;
 * commits nothing by itself.
 */
public interface QueueReader extends AutoCloseable {

    /**
     * Takes exactly these queues from now on: starts those that are new at their offset, forgets those that are missing with what was
     * pulled ahead of them, and leaves the others alone.
     *
     * @param offsets the offset of the first message to read, by queue
     */
    void assign(Map<MessageQueue, Long> offsets);

    /** Continues a queue at another offset; what was pulled ahead of it is forgotten. */
    void seek(MessageQueue queue, long offset);

    /** Stops returning messages of these queues until {@link #resume}. */
    void pause(Collection<MessageQueue> queues);

    void resume(Collection<MessageQueue> queues);

    /**
     * The next messages, in order within each queue; at most {@code maxBatchRecords}.
     *
     * @return empty if none came within the time
     */
    List<MessageExt> poll(Duration timeout) throws InterruptedException;

    /** Why a queue cannot be read at present, such as a broker that is away; empty when all can. */
    Optional<String> trouble();

    @Override
    void close();
}
