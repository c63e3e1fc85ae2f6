package io.sluice.converter.json;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * Collects what a generator writes. The generator has a buffer of its own and hands most documents over in one piece, which is copied
 * once and given out as it is.
 */
final class OutputBuffer extends OutputStream {

    private byte[] bytes = {};
    private int length;

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int count) {
        if (length == 0) {
            bytes = Arrays.copyOfRange(source, offset, offset + count);
        } else {
            if (count > bytes.length - length) {
                int doubled = (int) Math.min(bytes.length * 2L, Integer.MAX_VALUE - 8);
                bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, count), doubled));
            }
            System.arraycopy(source, offset, bytes, length, count);
        }
        length += count;
    }

    /** All that was written; the buffer must not be used any more. */
    byte[] toBytes() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }
}
