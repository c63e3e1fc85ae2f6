package io.sluice.core.store;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.core.store.History.Revision;
import io.sluice.core.store.StoreLog.Entry;
import io.sluice.runtime.TargetState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link ConfigStore} over a log that several workers may share.
 *
 * <p>Every change is an entry with a key of its own, {@code name@revision#token}, and names the entry that it is based on; {@link History}
 * says which ones are accepted. Entries that lost, and revisions beyond the kept ones, are removed by whoever wrote the entry that made
 * them needless, or else by whoever opens the store next. A deleted connector leaves one small entry, so that its revisions go on from
 * there if it is created again.
 */
public final class LogConfigStore implements ConfigStore {

    private static final Logger LOG = LoggerFactory.getLogger(LogConfigStore.class);
    private static final JsonMapper JSON = new JsonMapper();
    private static final int FORMAT = 1;
    /** Every lost attempt means that somebody else's change got through. */
    private static final int ATTEMPTS = 1_000;

    /** An entry's value. @param config null for a deletion @param at in milliseconds since 1970 */
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Stored(int format, String name, long revision, String basedOn, Map<String, String> config, TargetState target, String author,
                          long at) { }

    /** What became of an entry of this store: set by the log's thread before the append is confirmed. */
    private static final class Outcome {
        private volatile boolean accepted;
    }

    private final StoreLog log;
    private final Clock clock;
    private final String writer = UUID.randomUUID().toString();
    private final AtomicLong entries = new AtomicLong();
    private final ConcurrentNavigableMap<String, History> connectors = new ConcurrentSkipListMap<>();
    private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
    private final List<Consumer<Definition>> listeners = new CopyOnWriteArrayList<>();
    /** What was found needless while the log was replayed. */
    private final Queue<Revision> leftOver = new ConcurrentLinkedQueue<>();
    private volatile boolean replayed;

    private LogConfigStore(StoreLog log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    /**
     * Opens a store, which owns the log from now on.
     *
     * @throws IOException if the log cannot be read, or was written by a later version; the log is closed then
     */
    public static LogConfigStore open(StoreLog log, Clock clock) throws IOException {
        LogConfigStore store = new LogConfigStore(log, clock);
        try {
            log.open(store::apply);
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
        store.replayed = true;
        store.remove(store.leftOver);
        store.leftOver.clear();
        return store;
    }

    private void apply(long position, String key, byte[] value) {
        if (value == null) {
            return;
        }
        Outcome outcome = outcomes.remove(key);
        Revision entry = read(key, value);
        if (entry == null) {
            return;
        }
        String name = entry.definition().name();
        History before = connectors.get(name);
        History.Step step = before == null ? new History.Step(History.of(entry), List.of()) : before.next(entry);
        connectors.put(name, step.history());
        boolean accepted = step.history() != before && step.history().latest() == entry;
        if (outcome != null) {
            outcome.accepted = accepted;
            remove(step.outdated());
        } else if (!replayed) {
            leftOver.addAll(step.outdated());
        }
        if (accepted) {
            listeners.forEach(listener -> tell(listener, entry.definition()));
        }
    }

    /** @return null if it is of no use */
    private Revision read(String key, byte[] value) {
        try {
            Stored stored = JSON.readValue(value, Stored.class);
            if (stored.format() > FORMAT) {
                throw new UncheckedIOException(new IOException("the config store holds an entry '" + key + "' of format " + stored.format()
                    + ", which this version of Sluice does not know; start the version that wrote it"));
            }
            return new Revision(key, stored.basedOn(), new Definition(stored.name(), stored.config() == null ? Map.of() : stored.config(),
                stored.target(), stored.revision(), stored.author(), Instant.ofEpochMilli(stored.at())), stored.config() == null);
        } catch (UncheckedIOException e) {
            if (!replayed) {
                throw e;
            }
            LOG.error("an entry is left out: {}", e.getCause().getMessage());
        } catch (IOException | RuntimeException e) {
            LOG.error("the config store holds an entry '{}' that cannot be read and is left out: {}", key, e.getMessage());
        }
        return null;
    }

    private static void tell(Consumer<Definition> listener, Definition definition) {
        try {
            listener.accept(definition);
        } catch (RuntimeException e) {
            LOG.error("a listener failed at revision {} of connector '{}'", definition.revision(), definition.name(), e);
        }
    }

    private void remove(Collection<Revision> needless) {
        if (!needless.isEmpty()) {
            log.append(needless.stream().map(revision -> new Entry(revision.key(), null)).toList()).exceptionally(e -> {
                LOG.debug("needless entries stay in the config store until the next start", e);
                return null;
            });
        }
    }

    @Override
    public List<Definition> all() {
        return connectors.values().stream().map(History::latest).filter(latest -> !latest.deleted()).map(Revision::definition).toList();
    }

    @Override
    public Optional<Definition> get(String name) {
        return Optional.ofNullable(connectors.get(name)).map(History::latest).filter(latest -> !latest.deleted()).map(Revision::definition);
    }

    @Override
    public List<Definition> history(String name) {
        History history = connectors.get(name);
        return history == null || history.latest().deleted() ? List.of() : history.revisions().stream().map(Revision::definition).toList();
    }

    @Override
    public CompletableFuture<Definition> put(String name, Map<String, String> config, TargetState target, String author, OptionalLong expected) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(author, "author");
        return write(name, Optional.of(new TreeMap<>(config)), target, author, expected, ATTEMPTS);
    }

    @Override
    public CompletableFuture<Void> delete(String name, String author) {
        Objects.requireNonNull(author, "author");
        return write(name, Optional.empty(), TargetState.STOPPED, author, OptionalLong.empty(), ATTEMPTS).thenApply(gone -> null);
    }

    /** @param config empty to delete @return completed with null if there is nothing to delete */
    private CompletableFuture<Definition> write(String name, Optional<Map<String, String>> config, TargetState target, String author,
                                                OptionalLong expected, int attempts) {
        History history = connectors.get(name);
        long present = history == null ? 0 : history.present();
        if (expected.isPresent() && expected.getAsLong() != present) {
            return CompletableFuture.failedFuture(new StaleRevisionException(name, expected.getAsLong(), present));
        }
        if (config.isEmpty() && present == 0) {
            return CompletableFuture.completedFuture(null);
        }
        long revision = history == null ? 1 : history.latest().number() + 1;
        Definition definition = new Definition(name, config.orElse(Map.of()), target, revision, author, clock.instant().truncatedTo(ChronoUnit.MILLIS));
        byte[] value;
        try {
            value = JSON.writeValueAsBytes(new Stored(FORMAT, name, revision, history == null ? "" : history.latest().key(), config.orElse(null), target,
                author, definition.changedAt().toEpochMilli()));
        } catch (JsonProcessingException e) {
            return CompletableFuture.failedFuture(new IOException("connector '" + name + "' cannot be stored: " + e.getMessage(), e));
        }
        String key = name + "@" + revision + "#" + writer + "-" + entries.incrementAndGet();
        Outcome outcome = new Outcome();
        outcomes.put(key, outcome);
        return log.append(key, value).whenComplete((position, failure) -> outcomes.remove(key)).thenCompose(position -> {
            if (outcome.accepted) {
                return CompletableFuture.completedFuture(definition);
            }
            // Somebody else's change came first. With an expected revision the next attempt ends at once.
            return attempts > 1 ? write(name, config, target, author, expected, attempts - 1) : CompletableFuture.failedFuture(
                new IOException("connector '" + name + "' is changed too often by others; this change did not get through in " + ATTEMPTS + " attempts"));
        });
    }

    @Override
    public void listen(Consumer<Definition> listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public void close() {
        log.close();
    }
}
