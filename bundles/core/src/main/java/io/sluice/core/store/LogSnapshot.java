package io.sluice.core.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * What counts of a {@link TopicStoreLog} up to a position, as it stands in the topic and in a worker's own folder.
 *
 * @param era the one of the position
 * @param cover the position
 * @param crc of the message there
 * @param storedAt when the broker stored it
 * @param writers the last sequence of each writer whose messages might still come again
 * @param entries the last entry of each key, in the order of the log
 */
record LogSnapshot(Era era, long cover, int crc, long storedAt, Map<UUID, Writer> writers, List<Placed> entries) {

    private static final int MAGIC = 0x53_4C_53_4E;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 12;

    /** @param sequence of its last message @param storedAt when the broker stored that */
    record Writer(long sequence, long storedAt) { }

    /** An entry in its place. */
    record Placed(long position, String key, byte[] value) { }

    /** As bytes: magic, version, checksum, and the rest deflated. */
    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[HEADER_BYTES]);
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes, deflater, 1 << 16))) {
            out.writeLong(era.number());
            id(out, era.id());
            out.writeLong(era.start());
            out.writeLong(era.base());
            out.writeLong(cover);
            out.writeInt(crc);
            out.writeLong(storedAt);
            out.writeInt(writers.size());
            for (Map.Entry<UUID, Writer> writer : writers.entrySet()) {
                id(out, writer.getKey());
                out.writeLong(writer.getValue().sequence);
                out.writeLong(writer.getValue().storedAt);
            }
            out.writeInt(entries.size());
            for (Placed entry : entries) {
                byte[] key = entry.key.getBytes(StandardCharsets.UTF_8);
                out.writeLong(entry.position);
                out.writeInt(key.length);
                out.writeInt(entry.value.length);
                out.write(key);
                out.write(entry.value);
            }
        } catch (IOException e) {
            throw new IllegalStateException("memory does not fail", e);
        } finally {
            deflater.end();
        }
        byte[] all = bytes.toByteArray();
        ByteBuffer.wrap(all).putInt(MAGIC).putInt(VERSION).putInt(crc(all));
        return all;
    }

    /** @throws IOException if it is damaged or of a later version; the message says so of an "it" */
    static LogSnapshot decode(byte[] all) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(all);
        if (all.length < HEADER_BYTES || header.getInt() != MAGIC) {
            throw new IOException("it is not a snapshot");
        }
        int version = header.getInt();
        if (header.getInt() != crc(all)) {
            throw new IOException("it is damaged");
        }
        if (version != VERSION) {
            throw new IOException("it has format " + version + ", which this version of Sluice does not know; start the version that wrote it");
        }
        try (DataInputStream in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(all, HEADER_BYTES, all.length - HEADER_BYTES)))) {
            Era era = new Era(in.readLong(), id(in), in.readLong(), in.readLong());
            long cover = in.readLong();
            int crc = in.readInt();
            long storedAt = in.readLong();
            int writerCount = in.readInt();
            Map<UUID, Writer> writers = new HashMap<>();
            for (int i = 0; i < writerCount; i++) {
                writers.put(id(in), new Writer(in.readLong(), in.readLong()));
            }
            int count = in.readInt();
            List<Placed> entries = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                long position = in.readLong();
                byte[] key = new byte[in.readInt()];
                byte[] value = new byte[in.readInt()];
                in.readFully(key);
                in.readFully(value);
                entries.add(new Placed(position, new String(key, StandardCharsets.UTF_8), value));
            }
            return new LogSnapshot(era, cover, crc, storedAt, writers, entries);
        }
    }

    private static int crc(byte[] all) {
        CRC32C crc = new CRC32C();
        crc.update(all, HEADER_BYTES, all.length - HEADER_BYTES);
        return (int) crc.getValue();
    }

    private static void id(DataOutputStream out, UUID id) throws IOException {
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
    }

    private static UUID id(DataInputStream in) throws IOException {
        return new UUID(in.readLong(), in.readLong());
    }
}
