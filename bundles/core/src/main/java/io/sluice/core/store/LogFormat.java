package io.sluice.core.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/**
 * The bytes of a {@link LogFile}. All numbers are big-endian, keys are UTF-8.
 *
 * <pre>
 * file   = magic:"SLUICELG" version:int32 salt:int64 began-at:int64 crc:int32 frame*           crc = CRC-32C of all before it
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
 * <li>{@code began-at} is the next position when the file was begun: what was copied from the file before lies below it, and what is
 * appended does not, so that positions keep growing even when the last entries of that file are not copied.
 * <li>The salt is a random number: bytes of another log inside a value are never taken for a frame of this one.
 * </ul>
 *
 * @param salt of one file
 * @param beganAt of one file
 */
record LogFormat(long salt, long beganAt) {

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

    /** Receives entries in order. */
    interface Visitor {

        /**
         * @param value null says that the key is gone
         * @param bytes how much of the file the entry takes
         */
        void visit(long position, String key, byte[] value, int bytes) throws IOException;
    }

    /** The format of a new file. */
    static LogFormat begin(long beganAt) {
        return new LogFormat(ThreadLocalRandom.current().nextLong(), beganAt);
    }

    ByteBuffer header() {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).put(FILE_MAGIC).putInt(VERSION).putLong(salt).putLong(beganAt);
        return header.putInt(crc(header.duplicate().flip())).flip();
    }

    /**
     * @param header the first bytes of a file
     * @param remedy what to do if they are of no use
     * @throws IOException if they are not a header that this version knows; the message lacks the file's name
     */
    static LogFormat read(ByteBuffer header, String remedy) throws IOException {
        byte[] magic = new byte[FILE_MAGIC.length];
        int crc = crc(header.duplicate().limit(HEADER_BYTES - Integer.BYTES));
        header.get(magic);
        int version = header.getInt();
        LogFormat format = new LogFormat(header.getLong(), header.getLong());
        if (!Arrays.equals(magic, FILE_MAGIC)) {
            throw new IOException("is not the file of a store: it does not begin with " + new String(FILE_MAGIC, StandardCharsets.US_ASCII) + "; " + remedy);
        }
        if (crc != header.getInt()) {
            throw new IOException("is damaged in its first " + HEADER_BYTES + " bytes; " + remedy);
        }
        if (version != VERSION) {
            throw new IOException("has format " + version + ", which this version of Sluice does not know; start the version that wrote it");
        }
        return format;
    }

    /** True if a frame may begin with this number. */
    static boolean isFrameMagic(int number) {
        return number == FRAME_MAGIC;
    }

    /** True if a frame with this length and checksum has this body. */
    boolean isIntact(ByteBuffer body, int crc) {
        return frameCrc(body) == crc;
    }

    ByteBuffer frame(ByteBuffer body) {
        int bytes = body.remaining();
        return ByteBuffer.allocate(FRAME_BYTES + bytes).putInt(FRAME_MAGIC).putInt(bytes).putInt(frameCrc(body)).put(body).flip();
    }

    private int frameCrc(ByteBuffer body) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(salt).putInt(body.remaining()).flip());
        crc.update(body.duplicate());
        return (int) crc.getValue();
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** An entry as it stands in the body of a frame. */
    static ByteBuffer entry(long position, byte[] key, byte[] value) {
        ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES + key.length + (value == null ? 0 : value.length));
        entry.putLong(position).putInt(key.length).putInt(value == null ? -1 : value.length).put(key);
        return (value == null ? entry : entry.put(value)).flip();
    }

    /** Reads the entries in the body of a frame. */
    static void visit(ByteBuffer body, Visitor visitor) throws IOException {
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
}
