package io.sluice.core.store;

import io.sluice.core.store.LogSnapshot.Placed;
import io.sluice.core.store.LogSnapshot.Writer;
import io.sluice.core.store.StoreLog.Entry;
import io.sluice.core.store.StoreLog.Follower;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a {@link TopicStoreLog} holds up to a position: the last entry of each key, and whose messages were seen. It depends on nothing but
 * the messages, so that it is the same for all readers. One thread.
 *
 * <p>An entry's position is its message's position and its place in the message.
 */
final class LogState {

    static final int PLACE_BITS = 20;
    /** How long the broker may hold back a message that was sent, with a wide margin; then its writer is forgotten. */
    private static final long LATE_MS = Duration.ofHours(2).toMillis();
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

    private final Follower follower;
    /** In the order of the log. */
    private final Map<String, Placed> entries = new LinkedHashMap<>();
    private final Map<UUID, Writer> writers = new HashMap<>();
    private Era era = Era.FIRST;
    private long position = -1;
    private int crc;
    private long storedAt;
    private long bytes;

    LogState(Follower follower) {
        this.follower = follower;
    }

    /** The position of the message that holds an entry. */
    static long messageOf(long entryPosition) {
        return entryPosition >> PLACE_BITS;
    }

    Era era() {
        return era;
    }

    /** The position of the last message that is in; -1 if there is none. */
    long position() {
        return position;
    }

    /** @see LogFrame#crc of the last message that is in */
    int crc() {
        return crc;
    }

    long storedAt() {
        return storedAt;
    }

    /** About how much the entries that count take. */
    long bytes() {
        return bytes;
    }

    int size() {
        return entries.size();
    }

    /** The last sequence of a writer; -1 if it is unknown. */
    long sequenceOf(UUID writer) {
        Writer known = writers.get(writer);
        return known == null ? -1 : known.sequence();
    }

    /** Takes in the next message. @return true if it holds entries that are new, and they were applied */
    boolean apply(LogFrame.Append append, long messagePosition, long messageStoredAt) {
        LogFrame.Header header = append.header();
        if (!header.eraId().equals(era.id()) || header.sequence() <= sequenceOf(header.writer())) {
            return false;
        }
        writers.put(header.writer(), new Writer(header.sequence(), messageStoredAt));
        int place = 0;
        for (Entry entry : append.entries()) {
            long at = (messagePosition << PLACE_BITS) + place++;
            if (!append.restored() || outdated(entry.key())) {
                put(at, entry.key(), entry.value());
            }
        }
        return true;
    }

    /** True if the era has not said anything about a key that counts. */
    private boolean outdated(String key) {
        Placed known = entries.get(key);
        return known == null || messageOf(known.position()) < era.start();
    }

    private void put(long at, String key, byte[] value) {
        Placed before = entries.remove(key);
        if (before != null) {
            bytes -= weight(before);
        }
        if (value != null) {
            Placed now = new Placed(at, key, value);
            entries.put(key, now);
            bytes += weight(now);
        }
        follower.apply(at, key, value);
    }

    private static long weight(Placed entry) {
        return entry.key().length() + entry.value().length + 16L;
    }

    /** The message at a position is in. */
    void advance(long to, int messageCrc, long messageStoredAt) {
        position = to;
        crc = messageCrc;
        storedAt = messageStoredAt;
    }

    void begin(Era next) {
        era = next;
    }

    /** Goes on to where a snapshot is, which is not before the present position: entries that are newer come in their order, then those that are gone. */
    void jump(LogSnapshot to) {
        Map<String, Placed> before = new HashMap<>(entries);
        entries.clear();
        bytes = 0;
        writers.clear();
        writers.putAll(to.writers());
        era = to.era();
        advance(to.cover(), to.crc(), to.storedAt());
        for (Placed entry : to.entries()) {
            Placed known = before.remove(entry.key());
            if (known != null && known.position() == entry.position()) {
                entries.put(entry.key(), entry);
                bytes += weight(entry);
            } else {
                put(entry.position(), entry.key(), entry.value());
            }
        }
        // The last places of the message are free: it holds far fewer entries.
        long place = (to.cover() << PLACE_BITS) + PLACE_MASK - before.size();
        for (String gone : before.keySet()) {
            follower.apply(++place, gone, null);
        }
    }

    /** What is in now. */
    LogSnapshot snapshot() {
        writers.values().removeIf(writer -> writer.storedAt() < storedAt - LATE_MS);
        return new LogSnapshot(era, position, crc, storedAt, Map.copyOf(writers), new ArrayList<>(entries.values()));
    }

    Optional<Placed> get(String key) {
        return Optional.ofNullable(entries.get(key));
    }

    /** The entries of a snapshot that the era in force began without, and has not replaced since. */
    List<Entry> missing(LogSnapshot from) {
        return from.entries().stream().filter(entry -> messageOf(entry.position()) >= era.start() && outdated(entry.key()))
            .map(entry -> new Entry(entry.key(), entry.value())).toList();
    }
}
