package io.sluice.core.store;

import java.util.UUID;

/**
 * A stretch of a {@link TopicStoreLog} in which positions follow the offsets of the queue. A new one begins when the queue does not hold
 * any more what the log held: the topic was deleted, or the broker lost its end. Then the offsets go back, and the positions do not.
 *
 * @param number grows
 * @param id tells eras with the same number apart, of which only one came into force
 * @param start the position of its first message
 * @param base the position of the message at offset 0, if it is one of this era
 */
record Era(long number, UUID id, long start, long base) {

    /** The era of a topic that is new. */
    static final Era FIRST = new Era(0, new UUID(0, 0), 0, 0);

    /** The one that begins behind a position with the message at an offset. */
    static Era after(long position, long number, UUID id, long offset) {
        return new Era(number, id, position + 1, position + 1 - offset);
    }

    long position(long offset) {
        return base + offset;
    }

    long offset(long position) {
        return position - base;
    }
}
