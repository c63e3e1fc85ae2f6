package io.sluice.core.store;

import io.sluice.core.store.StoreLog.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link OffsetStore} over a log: one entry for each source partition, under the key {@code connector NUL partition}, with the partition
 * and the offset as JSON. The entries of one commit are appended together, so a crash leaves all of them or none.
 */
public final class LogOffsetStore implements OffsetStore {

    private static final Logger LOG = LoggerFactory.getLogger(LogOffsetStore.class);
    private static final char SEPARATOR = '\0';

    private final StoreLog log;
    /** By connector, then by partition. Changed on the log's thread alone. */
    private final ConcurrentMap<String, ConcurrentMap<Map<String, Object>, Map<String, Object>>> offsets = new ConcurrentHashMap<>();

    private LogOffsetStore(StoreLog log) {
        this.log = log;
    }

    /** Opens a store, which owns the log from now on. @throws IOException if the log cannot be read; it is closed then */
    public static LogOffsetStore open(StoreLog log) throws IOException {
        LogOffsetStore store = new LogOffsetStore(log);
        try {
            log.open(store::apply);
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
        return store;
    }

    private void apply(long position, String key, byte[] value) {
        try {
            int separator = key.indexOf(SEPARATOR);
            String connector = key.substring(0, separator);
            Map<String, Object> partition = OffsetMap.fromJson(key.substring(separator + 1));
            if (value != null) {
                offsets.computeIfAbsent(connector, unused -> new ConcurrentHashMap<>())
                    .put(partition, OffsetMap.fromJson(new String(value, StandardCharsets.US_ASCII)));
                return;
            }
            Map<?, ?> known = offsets.get(connector);
            if (known != null && known.remove(partition) != null && known.isEmpty()) {
                offsets.remove(connector);
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("the offset store holds an entry '{}' that cannot be read and is left out: {}", key, e.getMessage());
        }
    }

    @Override
    public Optional<Map<String, Object>> get(String connector, Map<String, ?> partition) {
        Map<Map<String, Object>, Map<String, Object>> known = offsets.get(connector);
        return known == null ? Optional.empty() : Optional.ofNullable(known.get(OffsetMap.canonical(partition)));
    }

    @Override
    public Map<Map<String, Object>, Map<String, Object>> all(String connector) {
        Map<Map<String, Object>, Map<String, Object>> known = offsets.get(connector);
        return known == null ? Map.of() : Map.copyOf(known);
    }

    @Override
    public CompletableFuture<Void> commit(String connector, Map<? extends Map<String, ?>, ? extends Map<String, ?>> changes) {
        List<Entry> entries = new ArrayList<>(changes.size());
        try {
            if (connector.indexOf(SEPARATOR) >= 0) {
                throw new IllegalArgumentException("the connector's name holds a NUL character");
            }
            changes.forEach((partition, offset) -> entries.add(new Entry(connector + SEPARATOR + OffsetMap.toJson(OffsetMap.canonical(partition)),
                offset == null ? null : OffsetMap.toJson(OffsetMap.canonical(offset)).getBytes(StandardCharsets.US_ASCII))));
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(new IOException("cannot store the offsets of connector '" + connector + "': " + e.getMessage(), e));
        }
        return entries.isEmpty() ? CompletableFuture.completedFuture(null) : log.append(entries).thenApply(position -> null);
    }

    @Override
    public CompletableFuture<Void> clear(String connector) {
        List<Entry> entries = all(connector).keySet().stream().map(partition -> new Entry(connector + SEPARATOR + OffsetMap.toJson(partition), null)).toList();
        return entries.isEmpty() ? CompletableFuture.completedFuture(null) : log.append(entries).thenApply(position -> null);
    }

    @Override
    public void close() {
        log.close();
    }
}
