package io.sluice.core.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The appends that wait for the thread of a log; bounded. Any thread puts, one takes. */
final class AppendQueue {

    private static final int MAX_BATCH_BYTES = 1 << 20;
    private static final long MAX_WEIGHT = 64 << 20;

    /** @param value null to remove the key */
    record Raw(String key, byte[] keyBytes, byte[] value) {

        static Raw of(StoreLog.Entry entry) throws CharacterCodingException {
            ByteBuffer key = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(entry.key()));
            byte[] keyBytes = new byte[key.remaining()];
            key.get(keyBytes);
            return new Raw(entry.key(), keyBytes, entry.value());
        }

        /** How much of a file it takes. */
        int bytes() {
            return LogFormat.ENTRY_BYTES + keyBytes.length + (value == null ? 0 : value.length);
        }
    }

    /** Entries that belong together. @param bytes how much of a file they take */
    record Append(List<Raw> entries, int bytes, long sinceNanos, CompletableFuture<Long> confirmed) {

        Append(List<Raw> entries, int bytes) {
            this(entries, bytes, System.nanoTime(), new CompletableFuture<>());
        }

        /** About how much memory it takes while it waits. */
        long weight() {
            return bytes + 256L * entries.size();
        }
    }

    private enum Phase { NEW, OPEN, CLOSED }

    private final String store;
    private final String slow;
    private final Deque<Append> waiting = new ArrayDeque<>();
    private long weight;
    private Phase phase = Phase.NEW;

    /** @param store how it is called in messages @param slow why it may not keep up */
    AppendQueue(String store, String slow) {
        this.store = store;
        this.slow = slow;
    }

    synchronized boolean isNew() {
        return phase == Phase.NEW;
    }

    /** Lets appends in, unless it was closed before. */
    synchronized void open() {
        if (phase == Phase.NEW) {
            phase = Phase.OPEN;
        }
    }

    /** Lets nothing in any more; what waits can still be taken. */
    synchronized void close() {
        phase = Phase.CLOSED;
        notifyAll();
    }

    /** @return why it was not taken in; empty if it was */
    synchronized Optional<IOException> put(Append append) {
        if (phase != Phase.OPEN) {
            return Optional.of(notOpen());
        }
        if (weight + append.weight() > MAX_WEIGHT && !waiting.isEmpty()) {
            return Optional.of(new IOException(store + " has " + waiting.size() + " changes waiting to be written and takes no more; " + slow));
        }
        waiting.add(append);
        weight += append.weight();
        notifyAll();
        return Optional.empty();
    }

    /**
     * Takes what is to be written together.
     *
     * @param idle false to come back with nothing when nothing waits
     * @return empty if the queue is closed and nothing is left
     */
    synchronized Optional<List<Append>> take(boolean idle) throws InterruptedException {
        return take(MAX_BATCH_BYTES, idle ? Long.MAX_VALUE : 0);
    }

    /** As above. @param maxBytes of all that is taken, unless that is one @param waitMs how long to wait for something */
    synchronized Optional<List<Append>> take(int maxBytes, long waitMs) throws InterruptedException {
        for (long left = waitMs, began = System.nanoTime(); waiting.isEmpty() && phase == Phase.OPEN && left > 0;
             left = waitMs - (System.nanoTime() - began) / 1_000_000) {
            wait(left);
        }
        if (waiting.isEmpty() && phase != Phase.OPEN) {
            return Optional.empty();
        }
        List<Append> batch = new ArrayList<>();
        int bytes = 0;
        while (!waiting.isEmpty() && (batch.isEmpty() || bytes + waiting.peek().bytes() <= maxBytes)) {
            Append append = waiting.remove();
            batch.add(append);
            bytes += append.bytes();
            weight -= append.weight();
        }
        return Optional.of(batch);
    }

    /** Takes out what has waited for longer than a time. */
    synchronized List<Append> expired(long nanos) {
        List<Append> expired = new ArrayList<>();
        while (!waiting.isEmpty() && System.nanoTime() - waiting.peek().sinceNanos() > nanos) {
            Append append = waiting.remove();
            weight -= append.weight();
            expired.add(append);
        }
        return expired;
    }

    /** Closes, and refuses what is still waiting. */
    void refuseAll() {
        List<Append> refused;
        synchronized (this) {
            phase = Phase.CLOSED;
            refused = List.copyOf(waiting);
            waiting.clear();
            weight = 0;
        }
        refused.forEach(append -> append.confirmed().completeExceptionally(notOpen()));
    }

    private IOException notOpen() {
        return new IOException(store + " is not open");
    }
}
