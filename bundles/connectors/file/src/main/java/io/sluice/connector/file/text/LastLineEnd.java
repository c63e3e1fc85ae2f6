package io.sluice.connector.file.text;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Looks for the end of the last whole line of a file, from its end backwards. */
public final class LastLineEnd {

    private static final int BLOCK = 64 * 1024;

    private LastLineEnd() {
    }

    /** The position behind the last line end before {@code size}; the end of the byte order mark if the file has no line end. */
    public static long find(FileChannel channel, long size, TextEncoding encoding, LineEndFinder finder) throws IOException {
        int unit = encoding.unit();
        long to = size - (size - encoding.markLength()) % unit;
        byte[] block = new byte[BLOCK];
        while (to > encoding.markLength()) {
            long from = Math.max(encoding.markLength(), to - BLOCK);
            int length = (int) (to - from);
            readFully(channel, block, length, from);
            for (int i = length; i > 0; i -= unit) {
                if (finder.endsLine(block, 0, i)) {
                    return from + i;
                }
            }
            // The next block overlaps by one unit, so that a line end of two units is not cut in half.
            to = from == encoding.markLength() ? from : from + unit;
        }
        return Math.min(encoding.markLength(), size);
    }

    private static void readFully(FileChannel channel, byte[] into, int length, long position) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw new EOFException("the file became shorter while its last line was looked for");
            }
        }
    }
}
