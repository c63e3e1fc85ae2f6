package io.sluice.core.store;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.runtime.TargetState;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link ConfigStore} over a log.
 *
 * <p>Every revision is an entry of its own, under the key {@code name@revision#token}, where the token is the writer's. Which of two entries
 * for the same revision counts is decided by the order of the log, the same for everybody who reads it: the first. The writer of the second
 * learns that from its own entry and removes it. A deleted connector leaves one small entry, so that its revisions go on from there.
 */
public final class LogConfigStore implements ConfigStore {

    private static final Logger LOG = LoggerFactory.getLogger(LogConfigStore.class);
    private static final JsonMapper JSON = new JsonMapper();
    private static final int FORMAT = 1;
    private static final int KEPT_REVISIONS = 20;
    private static final int TRIES = 5;

    /** An entry's value. @param config null for a deletion */
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Stored(int format, String name, long revision, Map<String, String> config, TargetState target, String author, long at) { }

    /** One accepted revision with the key under which it lies. @param definition null for a deletion */
    private record Revision(long number, String key, Definition definition) { }

    /** The revisions of one connector, oldest first. Replaced as a whole, so that readers need no lock. */
    private record History(List<Revision> revisions) {

        Revision latest() {
            return revisions.get(revisions.size() - 1);
        }

        Optional<Definition> present() {
            return Optional.ofNullable(latest().definition());
        }
    }

    private final StoreLog log;
    private final Clock clock;
    private final Map<String, History> connectors = new ConcurrentHashMap<>();
    private final List<Consumer<Definition>> listeners = new CopyOnWriteArrayList<>();
    /** Set once the log was replayed: clean-up and listeners begin then. */
    private volatile boolean live;

    private LogConfigStore(StoreLog log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    /** Opens a store; it owns the log from now on. @throws IOException if the log cannot be read */
    public static LogConfigStore open(StoreLog log, Clock clock) throws IOException {
        LogConfigStore store = new LogConfigStore(log, clock);
        log.open(store::apply);
        store.live = true;
        return store;
    }

    private void apply(long position, String key, byte[] value) {
        if (value == null) {
            return;
        }
        Stored stored;
        try {
            stored = JSON.readValue(value, Stored.class);
        } catch (IOException e) {
            LOG.error("the config store holds an entry '{}' that cannot be read and is left out: {}", key, e.getMessage());
            return;
        }
        if (stored.format() > FORMAT) {
            LOG.error("the config store holds an entry '{}' of format {}, which this version does not know; it is left out", key, stored.format());
            return;
        }
        History before = connectors.get(stored.name());
        // The oldest revision that is kept may have any number; every later one follows the one before it.
        if (before != null && stored.revision() != before.latest().number() + 1) {
            return;
        }
        Definition definition = stored.config() == null ? null
            : new Definition(stored.name(), stored.config(), stored.target(), stored.revision(), stored.author(), Instant.ofEpochMilli(stored.at()));
        Revision revision = new Revision(stored.revision(), key, definition);
        connectors.put(stored.name(), next(before, revision));
        if (live) {
            Definition told = definition != null ? definition
                : new Definition(stored.name(), Map.of(), TargetState.STOPPED, stored.revision(), stored.author(), Instant.ofEpochMilli(stored.at()));
            listeners.forEach(listener -> tell(listener, told));
        }
    }

    private static void tell(Consumer<Definition> listener, Definition definition) {
        try {
            listener.accept(definition);
        } catch (RuntimeException e) {
            LOG.error("a listener failed at revision {} of connector '{}'", definition.revision(), definition.name(), e);
        }
    }

    private History next(History before, Revision revision) {
        List<Revision> revisions = new ArrayList<>(before == null ? List.of() : before.revisions());
        boolean fresh = revision.definition() == null || before != null && before.latest().definition() == null;
        int drop = fresh ? revisions.size() : Math.max(0, revisions.size() + 1 - KEPT_REVISIONS);
        List<Revision> dropped = new ArrayList<>(revisions.subList(0, drop));
        revisions.subList(0, drop).clear();
        revisions.add(revision);
        if (live) {
            dropped.forEach(old -> log.append(old.key(), null));
        }
        return new History(List.copyOf(revisions));
    }

    @Override
    public List<Definition> all() {
        return new ArrayList<>(new TreeMap<>(connectors).values().stream().map(History::present).flatMap(Optional::stream).toList());
    }

    @Override
    public Optional<Definition> get(String name) {
        return Optional.ofNullable(connectors.get(name)).flatMap(History::present);
    }

    @Override
    public List<Definition> history(String name) {
        History history = connectors.get(name);
        return history == null || history.present().isEmpty() ? List.of() : history.revisions().stream().map(Revision::definition).toList();
    }

    @Override
    public CompletableFuture<Definition> put(String name, Map<String, String> config, TargetState target, String author, OptionalLong expected) {
        Objects.requireNonNull(target, "target");
        return write(name, Map.copyOf(config), target, author, expected, TRIES).thenApply(Revision::definition);
    }

    @Override
    public CompletableFuture<Void> delete(String name, String author) {
        if (get(name).isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return write(name, null, TargetState.STOPPED, author, OptionalLong.empty(), TRIES).thenApply(unused -> null);
    }

    private CompletableFuture<Revision> write(String name, Map<String, String> config, TargetState target, String author, OptionalLong expected, int tries) {
        History history = connectors.get(name);
        long present = history == null ? 0 : history.present().map(Definition::revision).orElse(0L);
        if (expected.isPresent() && expected.getAsLong() != present) {
            return CompletableFuture.failedFuture(new StaleRevisionException(name, expected.getAsLong(), present));
        }
        long revision = history == null ? 1 : history.latest().number() + 1;
        String key = name + "@" + revision + "#" + UUID.randomUUID();
        byte[] value;
        try {
            value = JSON.writeValueAsBytes(new Stored(FORMAT, name, revision, config, target, author, clock.millis()));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return log.append(key, value).thenCompose(position -> {
            Optional<Revision> mine = connectors.get(name).revisions().stream().filter(accepted -> accepted.key().equals(key)).findFirst();
            if (mine.isPresent()) {
                return CompletableFuture.completedFuture(mine.get());
            }
            // Somebody else's entry for this revision came first.
            log.append(key, null);
            return expected.isEmpty() && tries > 1 ? write(name, config, target, author, expected, tries - 1)
                : CompletableFuture.failedFuture(new StaleRevisionException(name, expected.orElse(revision - 1), get(name).map(Definition::revision).orElse(0L)));
        });
    }

    @Override
    public void listen(Consumer<Definition> listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        log.close();
    }
}
