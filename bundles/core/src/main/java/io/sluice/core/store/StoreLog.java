package io.sluice.core.store;

import java.io.IOException;
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
     * Opens the log and replays it. Returns when all that was in the log at the time of the call has been applied.
     *
     * @throws IOException if the log cannot be read; nothing has been changed then
     */
    void open(Follower follower) throws IOException;

    /**
     * Appends an entry.
     *
     * @param value null to remove the key
     * @return completed with the entry's position once it is durable and the follower has applied it; completed exceptionally with an
     *     {@link IOException} if it is not, or not known to be, in the log
     */
    CompletableFuture<Long> append(String key, byte[] value);

    /** Ends the log's threads and closes its files. Appends not yet confirmed complete exceptionally. */
    @Override
    void close();
}
