package io.sluice.core.store;

import io.sluice.runtime.TargetState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The definitions of all connectors, with their earlier revisions. Reads are answered from memory; a change is visible once it is
 * durable. Any thread.
 */
public interface ConfigStore extends AutoCloseable {

    /** All connectors, by name. */
    List<Definition> all();

    Optional<Definition> get(String name);

    /** The kept revisions of a connector, oldest first, the present one last; empty if there is no such connector. */
    List<Definition> history(String name);

    /**
     * Creates or replaces a definition.
     *
     * @param expected the revision that the caller has seen, 0 for "there is none"; empty to replace whatever is there
     * @return completed with the new definition; completed exceptionally with a {@link StaleRevisionException} if {@code expected} is
     *     not the present revision when the change reaches the log, or with an {@link java.io.IOException}
     */
    CompletableFuture<Definition> put(String name, Map<String, String> config, TargetState target, String author, OptionalLong expected);

    /** Removes a definition. Completed when that is durable; nothing happens if there is none. */
    CompletableFuture<Void> delete(String name, String author);

    /**
     * @param listener told of every change after it took effect, in order, on the log's thread: the new definition, or one for a name
     *     that {@link #get} no longer knows when it was deleted. Must not block.
     */
    void listen(Consumer<Definition> listener);

    @Override
    void close();
}
