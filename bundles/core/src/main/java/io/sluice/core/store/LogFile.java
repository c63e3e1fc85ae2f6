package io.sluice.core.store;

import io.sluice.core.store.LogFormat.Visitor;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One file of a {@link FileStoreLog}; see {@link LogFormat} for what is in it. One thread. */
final class LogFile implements Closeable {

    private static final int WINDOW_BYTES = 256 << 10;
    /** The JVM keeps a direct buffer as large as the largest single write of a thread. */
    private static final int SLICE_BYTES = 256 << 10;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Opens files; a test puts one in that fails. */
    interface Opener {
        FileChannel open(Path path, OpenOption... options) throws IOException;
    }

    private final Opener opener;
    private final Path path;
    private final LogFormat format;
    private FileChannel channel;
    /** Where the next frame goes; what lies behind was not confirmed. */
    private long length;
    /** True if something that was not confirmed may lie behind {@link #length}. */
    private boolean unclean;
    /** A piece of the file that was read ahead. */
    private ByteBuffer window = NOTHING;
    private long windowAt;

    private LogFile(Opener opener, Path path, LogFormat format, FileChannel channel, long length) {
        this.opener = opener;
        this.path = path;
        this.format = format;
        this.channel = channel;
        this.length = length;
    }

    /** Makes an empty file, replacing what is there. */
    static LogFile create(Opener opener, Path path, long beganAt) throws IOException {
        FileChannel channel = opener.open(path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.READ,
            StandardOpenOption.WRITE);
        try {
            LogFile file = new LogFile(opener, path, LogFormat.begin(beganAt), channel, 0);
            file.append(file.format.header());
            return file;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Opens a file that is there. @throws IOException if it is not a log file */
    static LogFile open(Opener opener, Path path) throws IOException {
        FileChannel channel = opener.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            long length = channel.size();
            if (length < LogFormat.HEADER_BYTES) {
                throw new IOException(path + " is damaged at byte " + length + ": its header ends there; " + remedy(path));
            }
            return new LogFile(opener, path, format(path, read(channel, path, 0, LogFormat.HEADER_BYTES)), channel, length);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static LogFormat format(Path path, ByteBuffer header) throws IOException {
        try {
            return LogFormat.read(header, remedy(path));
        } catch (IOException e) {
            throw new IOException(path + " " + e.getMessage(), e);
        }
    }

    private static String remedy(Path path) {
        return "restore the folder " + path.getParent() + " from a backup, or move it away to begin with an empty store";
    }

    Path path() {
        return path;
    }

    long length() {
        return length;
    }

    long beganAt() {
        return format.beganAt();
    }

    /**
     * Reads all entries. A torn end, which a crash in the middle of a write leaves, is cut.
     *
     * @return how many bytes were cut
     * @throws IOException if a frame is damaged and others follow it: then something was lost that had been confirmed
     */
    long replay(Visitor visitor) throws IOException {
        long at = LogFormat.HEADER_BYTES;
        while (at < length) {
            ByteBuffer body = bodyAt(at);
            if (body == null) {
                return cut(at);
            }
            at += LogFormat.FRAME_BYTES + body.remaining();
            LogFormat.visit(body, visitor);
        }
        window = NOTHING;
        return 0;
    }

    private long cut(long at) throws IOException {
        long next = nextFrameAfter(at);
        if (next >= 0) {
            throw new IOException(path + " is damaged at byte " + at + ": what stands there is not what was written, and intact entries follow at byte "
                + next + "; " + remedy(path));
        }
        long bytes = length - at;
        length = at;
        window = NOTHING;
        unclean = true;
        clean();
        return bytes;
    }

    /**
     * Reads the entries of some frames.
     *
     * @param from where a frame begins
     * @param bytes after how many bytes to stop
     * @return where the next frame begins
     * @throws IOException if a frame is damaged
     */
    long read(long from, long bytes, Visitor visitor) throws IOException {
        long at = from;
        while (at < length && at - from < bytes) {
            ByteBuffer body = bodyAt(at);
            if (body == null) {
                throw new IOException(path + " is damaged at byte " + at + "; " + remedy(path));
            }
            at += LogFormat.FRAME_BYTES + body.remaining();
            LogFormat.visit(body, visitor);
        }
        return at;
    }

    /** The body of the frame at a place; null if there is no intact one. */
    private ByteBuffer bodyAt(long at) throws IOException {
        if (length - at < LogFormat.FRAME_BYTES) {
            return null;
        }
        ByteBuffer frame = read(at, LogFormat.FRAME_BYTES);
        int magic = frame.getInt();
        int bytes = frame.getInt();
        int crc = frame.getInt();
        if (!LogFormat.isFrameMagic(magic) || bytes < 0 || bytes > LogFormat.MAX_BODY_BYTES || bytes > length - at - LogFormat.FRAME_BYTES) {
            return null;
        }
        ByteBuffer body = read(at + LogFormat.FRAME_BYTES, bytes);
        return format.isIntact(body, crc) ? body : null;
    }

    private long nextFrameAfter(long damaged) throws IOException {
        for (long at = damaged + 1; at <= length - LogFormat.FRAME_BYTES; at++) {
            if (LogFormat.isFrameMagic(read(at, Integer.BYTES).getInt()) && bodyAt(at) != null) {
                return at;
            }
        }
        return -1;
    }

    /** The result is good until the next call. */
    private ByteBuffer read(long at, int bytes) throws IOException {
        if (at < windowAt || at + bytes > windowAt + window.limit()) {
            window = NOTHING;
            window = read(channel, path, at, (int) Math.max(bytes, Math.min(WINDOW_BYTES, length - at)));
            windowAt = at;
        }
        return window.slice((int) (at - windowAt), bytes);
    }

    private static ByteBuffer read(FileChannel channel, Path path, long at, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, at + buffer.position()) < 0) {
                throw new EOFException(path + " ends before byte " + (at + bytes));
            }
        }
        return buffer.flip();
    }

    /**
     * Writes a frame and forces it to the disk. When this throws, the frame is not in the file, or is taken out before the next one is
     * written.
     *
     * @param body entries as {@link LogFormat#entry} makes them, none for the closing frame
     */
    void write(ByteBuffer body) throws IOException {
        clean();
        unclean = true;
        long before = length;
        try {
            append(format.frame(body));
            channel.force(false);
            unclean = false;
        } catch (IOException | RuntimeException e) {
            length = before;
            try {
                clean();
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    /** Writes a frame without forcing it; if this throws, the file is of no use any more. */
    void writeLazily(ByteBuffer body) throws IOException {
        append(format.frame(body));
    }

    private void append(ByteBuffer bytes) throws IOException {
        long at = length;
        int end = bytes.limit();
        while (bytes.position() < end) {
            bytes.limit(Math.min(end, bytes.position() + SLICE_BYTES));
            at += channel.write(bytes, at);
        }
        length = at;
    }

    /** Cuts what was not confirmed, so that a restart does not find it. */
    private void clean() throws IOException {
        if (unclean) {
            if (!channel.isOpen()) {
                channel = opener.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            }
            channel.truncate(length);
            channel.force(true);
            unclean = false;
        }
    }

    void force() throws IOException {
        channel.force(true);
    }

    /** The same open file under its new name; this object is of no use any more. */
    LogFile renamed(Path to) {
        return new LogFile(opener, to, format, channel, length);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
