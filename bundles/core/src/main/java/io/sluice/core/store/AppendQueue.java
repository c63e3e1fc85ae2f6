package io.sluice.core.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The appends that wait for the thread of a {@link FileStoreLog}; bounded. Any thread puts, one takes. */
final class AppendQueue {

    private static final int MAX_BATCH_BYTES = 1 << 20;
    private static final long MAX_WEIGHT = 64 << 20;

    /** @param value null to remove the key */
    record Raw(String key, byte[] keyBytes, byte[] value) {

        /** How much of a file it takes. */
        int bytes() {
            return LogFormat.ENTRY_BYTES + keyBytes.length + (value == null ? 0 : value.length);
        }
    }

    /** Entries that belong together. @param bytes how much of a file they take */
    record Append(List<Raw> entries, int bytes, CompletableFuture<Long> confirmed) {

        /** About how much memory it takes while it waits. */
        long weight() {
            return bytes + 256L * entries.size();
        }
    }

    private enum Phase { NEW, OPEN, CLOSED }

    private final Path folder;
    private final Deque<Append> waiting = new ArrayDeque<>();
    private long weight;
    private Phase phase = Phase.NEW;

    AppendQueue(Path folder) {
        this.folder = folder;
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
            return Optional.of(new IOException("the store " + folder + " has " + waiting.size()
                + " changes waiting to be written and takes no more; its disk is too slow for this load"));
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
        while (waiting.isEmpty() && phase == Phase.OPEN && idle) {
            wait();
        }
        if (waiting.isEmpty() && phase != Phase.OPEN) {
            return Optional.empty();
        }
        List<Append> batch = new ArrayList<>();
        int bytes = 0;
        while (!waiting.isEmpty() && (batch.isEmpty() || bytes + waiting.peek().bytes() <= MAX_BATCH_BYTES)) {
            Append append = waiting.remove();
            batch.add(append);
            bytes += append.bytes();
            weight -= append.weight();
        }
        return Optional.of(batch);
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
        return new IOException("the store " + folder + " is not open");
    }
}
