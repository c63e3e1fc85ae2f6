package io.sluice.core.rocketmq;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** One queue of a {@link PullReader}: how far it is pulled, and what was pulled ahead. Guarded by the reader's lock, but for decoding. */
final class PulledQueue {

    /** What one pull has brought, as it came; decoded when it is asked for, so that memory is counted exactly. */
    static final class Chunk {

        private final PulledQueue queue;
        private final ByteBuffer bytes;
        private final long offsetDelta;
        private final long from;
        private int left;

        private Chunk(PulledQueue queue, byte[] bytes, long offsetDelta, long from) {
            this.queue = queue;
            this.bytes = ByteBuffer.wrap(bytes);
            this.offsetDelta = offsetDelta;
            this.from = from;
            this.left = MessageReader.count(this.bytes);
        }

        /** Decodes the next messages; for the reader's thread, outside the lock. Those before the offset that was asked for are left out. */
        void decode(int count, List<MessageExt> messages) {
            int first = messages.size();
            for (int i = 0; i < count; i++) {
                queue.decoder.read(bytes, offsetDelta, messages);
            }
            // Only where RocketMQ packs several into one: it gives the whole pack.
            if (messages.get(first).getQueueOffset() < from) {
                messages.subList(first, messages.size()).removeIf(message -> message.getQueueOffset() < from);
            }
        }
    }

    private final MessageQueue queue;
    private final MessageReader decoder;
    private final ArrayDeque<Chunk> ahead = new ArrayDeque<>();
    private long next;
    private long bytesAhead;
    private long brokerId = MixAll.MASTER_ID;
    private int epoch;
    private boolean pulling;
    private boolean paused;
    private int failures;
    private String trouble;
    private long beyondEndSinceNanos;
    private boolean beyondEnd;

    PulledQueue(MessageQueue queue, long next) {
        this.queue = queue;
        this.next = next;
        this.decoder = new MessageReader(queue.getTopic(), queue.getBrokerName());
    }

    MessageQueue queue() {
        return queue;
    }

    /** Goes on elsewhere: drops what was pulled ahead, and what is still to come of a pull under way. */
    void moveTo(long offset) {
        epoch++;
        pulling = false;
        ahead.clear();
        bytesAhead = 0;
        next = offset;
        failures = 0;
        trouble = null;
        beyondEnd = false;
    }

    long next() {
        return next;
    }

    int epoch() {
        return epoch;
    }

    long brokerId() {
        return brokerId;
    }

    long bytesAhead() {
        return bytesAhead;
    }

    boolean isPaused() {
        return paused;
    }

    void pause(boolean pausedNow) {
        paused = pausedNow;
    }

    boolean mayPull() {
        return !pulling && !paused;
    }

    boolean hasAhead() {
        return !ahead.isEmpty();
    }

    void beginPull() {
        pulling = true;
    }

    /** A pull has ended well. @param broker the member of the broker's set to ask next, as it has proposed */
    void pulled(long nextOffset, long broker) {
        pulling = false;
        next = nextOffset;
        brokerId = broker;
        failures = 0;
        trouble = null;
        beyondEnd = false;
    }

    void add(byte[] bytes, long offsetDelta, long from) {
        ahead.addLast(new Chunk(this, bytes, offsetDelta, from));
        bytesAhead += bytes.length;
    }

    /** The chunk that messages are to be taken from; null if there is none, or the queue is paused. */
    Chunk first() {
        return paused ? null : ahead.peekFirst();
    }

    /** Takes up to so many messages out of the first chunk. @return how many */
    int take(int most) {
        Chunk chunk = ahead.getFirst();
        int taken = Math.min(most, chunk.left);
        chunk.left -= taken;
        if (chunk.left == 0) {
            ahead.removeFirst();
            bytesAhead -= chunk.bytes.limit();
        }
        return taken;
    }

    /** A pull has failed for now. @return how often in a row */
    int failed(String reason) {
        trouble = reason;
        brokerId = MixAll.MASTER_ID;
        return ++failures;
    }

    /** How long the queue has been said to end before the offset to read, in nanoseconds; 0 the first time. */
    long beyondEnd(long nowNanos) {
        if (!beyondEnd) {
            beyondEnd = true;
            beyondEndSinceNanos = nowNanos;
        }
        return nowNanos - beyondEndSinceNanos;
    }

    String trouble() {
        return trouble;
    }
}
