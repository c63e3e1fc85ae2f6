package io.sluice.core.store;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/**
 * One file of a {@link FileStoreLog}, as bytes. All numbers are big-endian, keys are UTF-8.
 *
 * <pre>
 * file   = magic:"SLUICELG" version:int32 salt:int64 first-position:int64 crc:int32 frame*     crc = CRC-32C of all before it
 * frame  = magic:int32 length:int32 crc:int32 body[length]                                     crc = CRC-32C of salt, length and body
 * body   = entry*
 * entry  = position:int64 key-length:int32 value-length:int32 key[key-length] value[value-length]
 * </pre>
 *
 * <ul>
 * <li>A frame is what was made durable by one force: it is there as a whole or not at all, and the next one was not begun before. So a
 * frame that is not intact is the torn end of a write that nobody was told of, unless an intact frame follows it: then the file is
 * damaged.
 * <li>A frame without entries closes a file that was closed in order, so that damage to the last entries shows there too.
 * <li>A value-length of -1 says that the key is gone.
 * <li>{@code first-position} is the least position that an entry of this file can have, so that positions keep growing even when every
 * entry of an earlier file is gone.
 * <li>The salt is a random number: bytes of another log inside a value are never taken for a frame of this one.
 * </ul>
 */
final class LogFile implements Closeable {

    static final int HEADER_BYTES = 32;
    /** The length of a frame without its body. */
    static final int FRAME_BYTES = 12;
    /** The length of an entry without key and value. */
    static final int ENTRY_BYTES = 16;
    /** The longest body of a frame. */
    static final int MAX_BODY_BYTES = 32 << 20;

    private static final byte[] FILE_MAGIC = "SLUICELG".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int FRAME_MAGIC = 0x53_4C_46_52;
    private static final int WINDOW_BYTES = 256 << 10;
    /** The JVM keeps a direct buffer as large as the largest single write of a thread. */
    private static final int SLICE_BYTES = 256 << 10;

    /** Opens files; a test puts one in that fails. */
    interface Opener {
        FileChannel open(Path path, OpenOption... options) throws IOException;
    }

    /** Receives the entries of a file in order. */
    interface Visitor {

        /**
         * @param value null says that the key is gone
         * @param bytes how much of the file the entry takes
         */
        void visit(long position, String key, byte[] value, int bytes) throws IOException;
    }

    private final Opener opener;
    private final Path path;
    private FileChannel channel;
    private long salt;
    private long firstPosition;
    /** Where the next frame goes; what lies behind was not confirmed. */
    private long length;
    /** True if something that was not confirmed may lie behind {@link #length}. */
    private boolean unclean;
    /** A piece of the file that was read ahead. */
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long windowAt;

    private LogFile(Opener opener, Path path) {
        this.opener = opener;
        this.path = path;
    }

    /** Makes an empty file, replacing what is there. */
    static LogFile create(Opener opener, Path path, long firstPosition) throws IOException {
        LogFile file = new LogFile(opener, path);
        file.channel = opener.open(path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.READ,
            StandardOpenOption.WRITE);
        try {
            file.salt = ThreadLocalRandom.current().nextLong();
            file.firstPosition = firstPosition;
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).put(FILE_MAGIC).putInt(VERSION).putLong(file.salt).putLong(firstPosition);
            file.append(header.putInt(crc(header.duplicate().flip())).flip());
            return file;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Opens a file that is there. @throws IOException if it is not a log file */
    static LogFile open(Opener opener, Path path) throws IOException {
        LogFile file = new LogFile(opener, path);
        file.channel = opener.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            file.length = file.channel.size();
            file.readHeader();
            return file;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private void readHeader() throws IOException {
        if (length < HEADER_BYTES) {
            throw new IOException(path + " is damaged at byte " + length + ": its header ends there; " + remedy());
        }
        ByteBuffer header = read(0, HEADER_BYTES);
        byte[] magic = new byte[FILE_MAGIC.length];
        int crc = crc(header.duplicate().limit(HEADER_BYTES - Integer.BYTES));
        header.get(magic);
        if (!Arrays.equals(magic, FILE_MAGIC)) {
            throw new IOException(path + " is not the file of a store: it does not begin with " + new String(FILE_MAGIC, StandardCharsets.US_ASCII)
                + "; " + remedy());
        }
        int version = header.getInt();
        salt = header.getLong();
        firstPosition = header.getLong();
        if (crc != header.getInt()) {
            throw new IOException(path + " is damaged in its first " + HEADER_BYTES + " bytes; " + remedy());
        }
        if (version != VERSION) {
            throw new IOException(path + " has format " + version + ", which this version of Sluice does not know; start the version that wrote it");
        }
    }

    private String remedy() {
        return "restore the folder " + path.getParent() + " from a backup, or move it away to begin with an empty store";
    }

    Path path() {
        return path;
    }

    long length() {
        return length;
    }

    long firstPosition() {
        return firstPosition;
    }

    /**
     * Reads all entries. A torn end, which a crash in the middle of a write leaves, is cut.
     *
     * @return how many bytes were cut
     * @throws IOException if a frame is damaged and others follow it: then something was lost that had been confirmed
     */
    long replay(Visitor visitor) throws IOException {
        long at = HEADER_BYTES;
        while (at < length) {
            ByteBuffer body = bodyAt(at);
            if (body == null) {
                long next = nextFrameAfter(at);
                if (next >= 0) {
                    throw new IOException(path + " is damaged at byte " + at + ": what stands there is not what was written, and intact entries follow at byte "
                        + next + "; " + remedy());
                }
                long cut = length - at;
                length = at;
                window = ByteBuffer.allocate(0);
                unclean = true;
                clean();
                return cut;
            }
            at += FRAME_BYTES + body.remaining();
            visit(body, visitor);
        }
        return 0;
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
                throw new IOException(path + " is damaged at byte " + at + "; " + remedy());
            }
            at += FRAME_BYTES + body.remaining();
            visit(body, visitor);
        }
        return at;
    }

    /** The body of the frame at a place; null if there is no intact one. */
    private ByteBuffer bodyAt(long at) throws IOException {
        if (length - at < FRAME_BYTES) {
            return null;
        }
        ByteBuffer frame = read(at, FRAME_BYTES);
        int magic = frame.getInt();
        int bytes = frame.getInt();
        int crc = frame.getInt();
        if (magic != FRAME_MAGIC || bytes < 0 || bytes > MAX_BODY_BYTES || bytes > length - at - FRAME_BYTES) {
            return null;
        }
        ByteBuffer body = read(at + FRAME_BYTES, bytes);
        return frameCrc(body) == crc ? body : null;
    }

    private void visit(ByteBuffer body, Visitor visitor) throws IOException {
        while (body.hasRemaining()) {
            long position = body.getLong();
            byte[] key = new byte[body.getInt()];
            int valueBytes = body.getInt();
            byte[] value = valueBytes < 0 ? null : new byte[valueBytes];
            body.get(key);
            if (value != null) {
                body.get(value);
            }
            visitor.visit(position, new String(key, StandardCharsets.UTF_8), value, ENTRY_BYTES + key.length + Math.max(0, valueBytes));
        }
    }

    private long nextFrameAfter(long damaged) throws IOException {
        for (long at = damaged + 1; at <= length - FRAME_BYTES; at++) {
            if (read(at, Integer.BYTES).getInt() == FRAME_MAGIC && bodyAt(at) != null) {
                return at;
            }
        }
        return -1;
    }

    private ByteBuffer read(long at, int bytes) throws IOException {
        if (at < windowAt || at + bytes > windowAt + window.limit()) {
            int ahead = (int) Math.max(bytes, Math.min(WINDOW_BYTES, length - at));
            ByteBuffer fresh = window.capacity() == ahead ? window.clear() : ByteBuffer.allocate(ahead);
            window = ByteBuffer.allocate(0);
            while (fresh.hasRemaining()) {
                if (channel.read(fresh, at + fresh.position()) < 0) {
                    throw new EOFException(path + " ends before byte " + (at + bytes));
                }
            }
            window = fresh.flip();
            windowAt = at;
        }
        return window.slice((int) (at - windowAt), bytes);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private int frameCrc(ByteBuffer body) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(salt).putInt(body.remaining()).flip());
        crc.update(body.duplicate());
        return (int) crc.getValue();
    }

    /** Makes an entry as it stands in a frame. */
    static ByteBuffer entry(long position, byte[] key, byte[] value) {
        ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES + key.length + (value == null ? 0 : value.length));
        entry.putLong(position).putInt(key.length).putInt(value == null ? -1 : value.length).put(key);
        return (value == null ? entry : entry.put(value)).flip();
    }

    /**
     * Writes a frame and forces it to the disk. When this throws, the frame is not in the file, or is taken out before the next one is
     * written.
     *
     * @param body entries made by {@link #entry}, none for the closing frame
     */
    void write(ByteBuffer body) throws IOException {
        clean();
        unclean = true;
        long before = length;
        try {
            append(frame(body));
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
        append(frame(body));
    }

    private ByteBuffer frame(ByteBuffer body) {
        int bytes = body.remaining();
        return ByteBuffer.allocate(FRAME_BYTES + bytes).putInt(FRAME_MAGIC).putInt(bytes).putInt(frameCrc(body)).put(body).flip();
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

    /** Follows the file to its new name. */
    LogFile renamed(Path to) {
        LogFile file = new LogFile(opener, to);
        file.channel = channel;
        file.salt = salt;
        file.firstPosition = firstPosition;
        file.length = length;
        return file;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
