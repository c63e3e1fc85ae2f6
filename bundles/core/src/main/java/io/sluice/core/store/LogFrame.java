package io.sluice.core.store;

import io.sluice.core.store.AppendQueue.Raw;
import io.sluice.core.store.StoreLog.Entry;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A message of a {@link TopicStoreLog}. All numbers are big-endian, keys are UTF-8.
 *
 * <pre>
 * message  = magic:"SLTL" version:int8 kind:int8 era:int64 era-id:int128 writer:int128 sequence:int64 hint:int64 body crc:int32
 * kind 1   : body = restored:int8 entry*     entry = key-length:int32 value-length:int32 key value     a value-length of -1: the key is gone
 * kind 2   : body = candidate:int8 id:int128 part:int32 parts:int32 cover:int64 bytes                  a part of a {@link LogSnapshot}
 * kind 3   : body = id:int128                                                                          begins the era of a candidate
 * crc      = CRC-32C of all before it
 * </pre>
 */
sealed interface LogFrame {

    /** How much of a message is not body. */
    int OVERHEAD_BYTES = 66;
    /** How much an entry takes beside its key and value. */
    int ENTRY_BYTES = 8;

    /**
     * @param era number of the era it was written for
     * @param eraId its id
     * @param writer one opened log
     * @param sequence grows with each message that the writer appends; the same message sent again has the same
     * @param hint the offset where the newest complete snapshot begins that the writer has read; -1 if it knows none
     */
    record Header(long era, UUID eraId, UUID writer, long sequence, long hint) { }

    Header header();

    /** Entries. @param restored true if they are older than what the era itself says about their keys */
    record Append(Header header, boolean restored, List<Entry> entries) implements LogFrame { }

    /**
     * A part of a snapshot.
     *
     * @param candidate true if it is one with which a new era may begin
     * @param cover the position up to which it says what counts
     */
    record Part(Header header, boolean candidate, UUID id, int part, int parts, long cover, byte[] bytes) implements LogFrame { }

    /** Begins an era with a candidate. */
    record Open(Header header, UUID candidate) implements LogFrame { }

    private static ByteBuffer begin(Header header, int kind, int bodyBytes) {
        return ByteBuffer.allocate(OVERHEAD_BYTES + bodyBytes).putInt(Codes.MAGIC).put(Codes.VERSION).put((byte) kind).putLong(header.era)
            .putLong(header.eraId.getMostSignificantBits()).putLong(header.eraId.getLeastSignificantBits())
            .putLong(header.writer.getMostSignificantBits()).putLong(header.writer.getLeastSignificantBits())
            .putLong(header.sequence).putLong(header.hint);
    }

    private static byte[] end(ByteBuffer message) {
        return message.putInt(crc(message.array())).array();
    }

    static byte[] append(Header header, boolean restored, List<Raw> entries) {
        int bytes = 1;
        for (Raw entry : entries) {
            bytes += bytes(entry);
        }
        ByteBuffer message = begin(header, Codes.APPEND, bytes).put((byte) (restored ? 1 : 0));
        for (Raw entry : entries) {
            message.putInt(entry.keyBytes().length).putInt(entry.value() == null ? -1 : entry.value().length).put(entry.keyBytes());
            if (entry.value() != null) {
                message.put(entry.value());
            }
        }
        return end(message);
    }

    /** How much of a message an entry takes. */
    static int bytes(Raw entry) {
        return ENTRY_BYTES + entry.keyBytes().length + (entry.value() == null ? 0 : entry.value().length);
    }

    static byte[] part(Part part) {
        ByteBuffer message = begin(part.header, Codes.PART, 33 + part.bytes.length).put((byte) (part.candidate ? 1 : 0))
            .putLong(part.id.getMostSignificantBits()).putLong(part.id.getLeastSignificantBits()).putInt(part.part).putInt(part.parts)
            .putLong(part.cover).put(part.bytes);
        return end(message);
    }

    static byte[] open(Open open) {
        return end(begin(open.header, Codes.OPEN, 16).putLong(open.candidate.getMostSignificantBits())
            .putLong(open.candidate.getLeastSignificantBits()));
    }

    /** By what a message is told from others: the checksum of all but its last four bytes, where one of ours has that checksum itself. */
    static int crc(byte[] message) {
        CRC32C crc = new CRC32C();
        crc.update(message, 0, Math.max(0, message.length - Integer.BYTES));
        return (int) crc.getValue();
    }

    /**
     * Reads a message.
     *
     * @return empty if it is not one of ours, or damaged
     * @throws IOException if it is one of a later version
     */
    static Optional<LogFrame> read(byte[] bytes) throws IOException {
        ByteBuffer message = ByteBuffer.wrap(bytes);
        if (bytes.length < OVERHEAD_BYTES || message.getInt() != Codes.MAGIC || message.getInt(bytes.length - Integer.BYTES) != crc(bytes)) {
            return Optional.empty();
        }
        byte version = message.get();
        byte kind = message.get();
        if (version != Codes.VERSION || kind < Codes.APPEND || kind > Codes.OPEN) {
            throw new IOException("holds a message of format " + version + "." + kind
                + ", which this version of Sluice does not know; start the version that wrote it");
        }
        message.limit(bytes.length - Integer.BYTES);
        try {
            Header header = new Header(message.getLong(), id(message), id(message), message.getLong(), message.getLong());
            return Optional.of(switch (kind) {
                case Codes.APPEND -> new Append(header, message.get() == 1, entries(message));
                case Codes.PART -> new Part(header, message.get() == 1, id(message), message.getInt(), message.getInt(), message.getLong(), rest(message));
                default -> new Open(header, id(message));
            });
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            return Optional.empty();
        }
    }

    private static UUID id(ByteBuffer message) {
        return new UUID(message.getLong(), message.getLong());
    }

    private static byte[] rest(ByteBuffer message) {
        byte[] rest = new byte[message.remaining()];
        message.get(rest);
        return rest;
    }

    private static List<Entry> entries(ByteBuffer message) {
        List<Entry> entries = new ArrayList<>();
        while (message.hasRemaining()) {
            byte[] key = new byte[message.getInt()];
            int valueBytes = message.getInt();
            byte[] value = valueBytes < 0 ? null : new byte[valueBytes];
            message.get(key);
            if (value != null) {
                message.get(value);
            }
            entries.add(new Entry(new String(key, StandardCharsets.UTF_8), value));
        }
        return entries;
    }

    /** The numbers of the format. */
    final class Codes {

        private static final int MAGIC = 0x53_4C_54_4C;
        private static final byte VERSION = 1;
        private static final byte APPEND = 1;
        private static final byte PART = 2;
        private static final byte OPEN = 3;

        private Codes() {
        }
    }
}
