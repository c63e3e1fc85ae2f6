package io.sluice.core.store;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The committed source offsets of all connectors. A partition and an offset are the connector's own maps of names to strings, booleans,
 * whole numbers of 64 bits, finite doubles, null, and maps and lists of these; whole numbers come back as {@code Long}, other numbers as
 * {@code Double}. Any thread.
 */
public interface OffsetStore extends AutoCloseable {

    /**
     * The offset of one partition, however its keys are ordered and whatever type its whole numbers have; empty if never committed.
     *
     * @throws IllegalArgumentException if the partition holds something that cannot be kept
     */
    Optional<Map<String, Object>> get(String connector, Map<String, ?> partition);

    /** All partitions of a connector. */
    Map<Map<String, Object>, Map<String, Object>> all(String connector);

    /**
     * Commits offsets: all of them, or, if that fails or the worker crashes, none.
     *
     * @param offsets by partition; a null offset forgets the partition
     * @return completed when all of them are durable; completed exceptionally with an {@link java.io.IOException}
     *     otherwise, also if a partition or an offset holds something that cannot be kept
     */
    CompletableFuture<Void> commit(String connector, Map<? extends Map<String, ?>, ? extends Map<String, ?>> offsets);

    /** Forgets all offsets of a connector whose commits were confirmed before the call. Completed when that is durable. */
    CompletableFuture<Void> clear(String connector);

    @Override
    void close();
}
