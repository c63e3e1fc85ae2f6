package io.sluice.connector.file.sink;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that are to be written at once; it grows as needed and keeps its room. */
final class LineBuffer {

    private static final int INITIAL = 64 * 1024;
    /** Room that is kept for the next time. */
    private static final int KEPT = 16 * 1024 * 1024;

    private byte[] bytes = new byte[INITIAL];
    private int length;

    void add(byte[] more) {
        add(more, 0, more.length);
    }

    void add(byte[] more, int offset, int count) {
        long needed = (long) length + count;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, bytes.length * 2L)));
        }
        System.arraycopy(more, offset, bytes, length, count);
        length += count;
    }

    int length() {
        return length;
    }

    /** The first {@code count} bytes, to be read from; valid until the next change. */
    ByteBuffer view(int count) {
        return ByteBuffer.wrap(bytes, 0, count);
    }

    /** Drops the first {@code count} bytes. */
    void drop(int count) {
        System.arraycopy(bytes, count, bytes, 0, length - count);
        length -= count;
    }

    void clear() {
        length = 0;
        if (bytes.length > KEPT) {
            bytes = new byte[INITIAL];
        }
    }
}
