package io.sluice.core.store;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * One file of a {@link FileStoreLog}, as bytes. All numbers are big-endian.
 *
 * <pre>
 * file   = "SLUICE01" first-position:int64 entry*
 * entry  = magic:int32 length:int32 crc:int32 body[length]         crc = CRC-32C of body
 * body   = position:int64 key-length:int32 key[key-length] has-value:int8 value[rest]
 * </pre>
 *
 * The key is UTF-8. {@code first-position} is the least position that an entry of this file can have, so that positions keep growing even
 * when every entry of an earlier file is gone.
 */
final class LogFile implements Closeable {

    static final int HEADER_BYTES = 16;
    static final int FRAME_BYTES = 12;
    private static final byte[] FILE_MAGIC = "SLUICE01".getBytes(StandardCharsets.US_ASCII);
    private static final int ENTRY_MAGIC = 0x534C4345;
    private static final int MAX_BODY_BYTES = 64 << 20;

    private final Path path;
    private final FileChannel channel;
    private long length;

    private LogFile(Path path, FileChannel channel, long length) {
        this.path = path;
        this.channel = channel;
        this.length = length;
    }

    /** One entry as read. @param value null says that the key is gone @param at where it begins in the file @param bytes how long it is */
    record Entry(long position, String key, byte[] value, long at, int bytes) { }

    /** Receives the entries of a file in order. */
    interface Visitor {
        void visit(Entry entry) throws IOException;
    }

    static LogFile create(Path path, long firstPosition) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.READ,
            StandardOpenOption.WRITE);
        try {
            LogFile file = new LogFile(path, channel, 0);
            file.append(ByteBuffer.allocate(HEADER_BYTES).put(FILE_MAGIC).putLong(firstPosition).flip());
            return file;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    static LogFile open(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        return new LogFile(path, channel, channel.size());
    }

    Path path() {
        return path;
    }

    long length() {
        return length;
    }

    /** The first position. @throws IOException if this is not a log file */
    long firstPosition() throws IOException {
        ByteBuffer header = read(0, HEADER_BYTES);
        byte[] magic = new byte[FILE_MAGIC.length];
        header.get(magic);
        if (!java.util.Arrays.equals(magic, FILE_MAGIC)) {
            throw new IOException(path + " is not a store log, or one of a later version; restore it from a backup");
        }
        return header.getLong();
    }

    /**
     * Reads all entries. A torn tail, which a crash in the middle of a write leaves, is cut.
     *
     * @return how many bytes were cut
     * @throws IOException if an entry is damaged and others follow it: then something was lost that had been acknowledged
     */
    long replay(Visitor visitor) throws IOException {
        long at = HEADER_BYTES;
        while (at < length) {
            Entry entry = entryAt(at);
            if (entry == null) {
                long next = nextEntryAfter(at);
                if (next >= 0) {
                    throw new IOException(path + " is damaged at byte " + at + " although intact entries follow at byte " + next
                        + "; restore the file from a backup, or remove it to begin with an empty store");
                }
                long cut = length - at;
                truncate(at);
                return cut;
            }
            visitor.visit(entry);
            at += entry.bytes();
        }
        return 0;
    }

    /** The entry at a place; null if there is no intact one. */
    Entry entryAt(long at) throws IOException {
        if (length - at < FRAME_BYTES) {
            return null;
        }
        ByteBuffer frame = read(at, FRAME_BYTES);
        int magic = frame.getInt();
        int bodyBytes = frame.getInt();
        int crc = frame.getInt();
        if (magic != ENTRY_MAGIC || bodyBytes < 13 || bodyBytes > MAX_BODY_BYTES || bodyBytes > length - at - FRAME_BYTES) {
            return null;
        }
        ByteBuffer body = read(at + FRAME_BYTES, bodyBytes);
        if (crc(body.duplicate()) != crc) {
            return null;
        }
        long position = body.getLong();
        int keyBytes = body.getInt();
        if (keyBytes < 0 || keyBytes > body.remaining() - 1) {
            return null;
        }
        byte[] key = new byte[keyBytes];
        body.get(key);
        byte[] value = body.get() == 0 ? null : new byte[body.remaining()];
        if (value != null) {
            body.get(value);
        }
        return new Entry(position, new String(key, StandardCharsets.UTF_8), value, at, FRAME_BYTES + bodyBytes);
    }

    private long nextEntryAfter(long damaged) throws IOException {
        for (long at = damaged + 1; at <= length - FRAME_BYTES; at++) {
            if (read(at, 4).getInt() == ENTRY_MAGIC && entryAt(at) != null) {
                return at;
            }
        }
        return -1;
    }

    private static int crc(ByteBuffer body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return (int) crc.getValue();
    }

    private ByteBuffer read(long at, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, at + buffer.position()) < 0) {
                throw new EOFException(path + " ends before byte " + (at + bytes));
            }
        }
        return buffer.flip();
    }

    /** An entry as bytes. */
    static ByteBuffer encode(long position, String key, byte[] value) {
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        int bodyBytes = 13 + keyBytes.length + (value == null ? 0 : value.length);
        if (bodyBytes > MAX_BODY_BYTES) {
            throw new IllegalArgumentException("the entry '" + key + "' has " + bodyBytes + " bytes; a store takes at most " + MAX_BODY_BYTES);
        }
        ByteBuffer buffer = ByteBuffer.allocate(FRAME_BYTES + bodyBytes);
        buffer.position(FRAME_BYTES);
        buffer.putLong(position).putInt(keyBytes.length).put(keyBytes).put((byte) (value == null ? 0 : 1));
        if (value != null) {
            buffer.put(value);
        }
        int crc = crc(buffer.duplicate().position(FRAME_BYTES).limit(FRAME_BYTES + bodyBytes));
        return buffer.putInt(0, ENTRY_MAGIC).putInt(4, bodyBytes).putInt(8, crc).flip();
    }

    /** Writes at the end. Nothing is known about the bytes after the former end if this throws: {@link #truncate} to it. */
    void append(ByteBuffer bytes) throws IOException {
        long at = length;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
        length = at;
    }

    void truncate(long to) throws IOException {
        channel.truncate(to);
        length = to;
    }

    void force() throws IOException {
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
