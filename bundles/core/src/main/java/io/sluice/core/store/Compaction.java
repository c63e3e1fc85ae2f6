package io.sluice.core.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies the entries of a log that count to a file that will take the old one's place. It goes on in small steps, between which the log
 * takes entries as ever.
 *
 * <p>Order and positions stay. That a key is gone is left out if it was so when the copying began, since no earlier entry of that key is
 * copied then; if it came later, an earlier one may have been copied already.
 */
final class Compaction implements Closeable {

    private static final int FRAME_BODY_BYTES = 256 << 10;

    /** @param outdatedBytes how much must be outdated at least @param stepBytes how much is copied before appends have their turn */
    record Limits(long outdatedBytes, long stepBytes) {

        static final Limits DEFAULT = new Limits(1 << 20, 1 << 20);
    }

    private final LogFile from;
    private final LogFile to;
    private final LiveEntries live;
    /** The position of the first entry that came after the copying began. */
    private final long beganAt;
    private final List<ByteBuffer> collected = new ArrayList<>();
    private int collectedBytes;
    private long at = LogFormat.HEADER_BYTES;
    private long lengthBefore;

    /** @param to empty, with the next position of the log as its first */
    Compaction(LogFile from, LogFile to, LiveEntries live) {
        this.from = from;
        this.to = to;
        this.live = live;
        this.beganAt = to.beganAt();
        this.lengthBefore = from.length();
    }

    LogFile target() {
        return to;
    }

    /** Copies some more. @return true if the new file holds all that counts of the old one */
    boolean step(long bytes) throws IOException {
        // Twice what was appended meanwhile, so that it comes to an end however much that is.
        at = from.read(at, bytes + 2 * (from.length() - lengthBefore), this::copy);
        lengthBefore = from.length();
        flush();
        to.force();
        return at == from.length();
    }

    private void copy(long position, String key, byte[] value, int bytes) throws IOException {
        if (value == null ? position < beganAt : !live.counts(position, key)) {
            return;
        }
        ByteBuffer entry = LogFormat.entry(position, key.getBytes(StandardCharsets.UTF_8), value);
        if (collectedBytes + bytes > FRAME_BODY_BYTES) {
            flush();
        }
        collected.add(entry);
        collectedBytes += bytes;
    }

    private void flush() throws IOException {
        if (!collected.isEmpty()) {
            ByteBuffer body = ByteBuffer.allocate(collectedBytes);
            collected.forEach(body::put);
            to.writeLazily(body.flip());
            collected.clear();
            collectedBytes = 0;
        }
    }

    @Override
    public void close() throws IOException {
        to.close();
    }
}
