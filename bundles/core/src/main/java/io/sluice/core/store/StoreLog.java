package io.sluice.core.store;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A totally ordered log of keyed entries: the memory that a store is built on. The last entry of a key is kept for ever; earlier ones
 * may be dropped.
 *
 * <p>The file-backed form serves a worker that stands alone, the RocketMQ-backed form a cluster. A store never looks behind it.
 */
public interface StoreLog extends AutoCloseable {

    /** Receives every entry in log order: first all that is there, then, for as long as the log is open, what comes. */
    interface Follower {

        /**
         * Called on the log's own thread, or, while the log is being opened, on the opener's; never on two at a time. Must not block.
         *
         * @param position the entry's place in the order; grows, with gaps
         * @param key the entry's key
         * @param value the entry's value; null says that the key is gone
         */
        void apply(long position, String key, byte[] value);
    }

    /**
     * An entry to be appended.
     *
     * @param key what it is kept under; text without lone surrogates
     * @param value null to remove the key
     */
    record Entry(String key, byte[] value) {

        public Entry {
            Objects.requireNonNull(key, "key");
        }
    }

    /**
     * Opens the log and replays it. Returns when all that was in the log at the time of the call has been applied.
     *
     * @throws IOException if the log cannot be read; nothing has been changed then
     */
    void open(Follower follower) throws IOException;

    /**
     * Appends entries that belong together: they follow each other in the log, and after a crash all of them are there or none. What
     * depends on the returned future runs on the log's thread and must not block.
     *
     * @param entries at least one
     * @return completed with the last entry's position once all are durable and the follower has applied them; completed exceptionally
     *     with an {@link IOException} if they are not, or not known to be, in the log
     */
    CompletableFuture<Long> append(List<Entry> entries);

    /**
     * Appends one entry.
     *
     * @param value null to remove the key
     * @return as for {@link #append(List)}
     */
    default CompletableFuture<Long> append(String key, byte[] value) {
        return append(List.of(new Entry(key, value)));
    }

    /** Ends the log's threads and closes its files. Appends not yet confirmed are confirmed first, or complete exceptionally. */
    @Override
    void close();
}
