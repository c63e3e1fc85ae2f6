package io.sluice.core.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link OffsetStore} over a log: one entry for each source partition, under the key {@code connector NUL partition}, the partition as
 * JSON with sorted keys. A commit of several partitions is several entries: each partition's offset stands for itself, so it does no harm
 * when a crash keeps some of them and loses others.
 */
public final class LogOffsetStore implements OffsetStore {

    private static final Logger LOG = LoggerFactory.getLogger(LogOffsetStore.class);
    private static final JsonMapper JSON = JsonMapper.builder().enable(DeserializationFeature.USE_LONG_FOR_INTS).build();
    private static final char SEPARATOR = '\0';

    private final StoreLog log;
    /** By connector, then by partition. */
    private final ConcurrentMap<String, ConcurrentMap<Map<String, Object>, Map<String, Object>>> offsets = new ConcurrentHashMap<>();

    private LogOffsetStore(StoreLog log) {
        this.log = log;
    }

    /** Opens a store; it owns the log from now on. @throws IOException if the log cannot be read */
    public static LogOffsetStore open(StoreLog log) throws IOException {
        LogOffsetStore store = new LogOffsetStore(log);
        log.open(store::apply);
        return store;
    }

    private void apply(long position, String key, byte[] value) {
        try {
            int separator = key.indexOf(SEPARATOR);
            String connector = key.substring(0, separator);
            Map<String, Object> partition = read(key.substring(separator + 1).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            if (value == null) {
                offsets.computeIfPresent(connector, (unused, known) -> {
                    known.remove(partition);
                    return known.isEmpty() ? null : known;
                });
            } else {
                Map<String, Object> offset = read(value);
                offsets.compute(connector, (unused, known) -> {
                    ConcurrentMap<Map<String, Object>, Map<String, Object>> partitions = known == null ? new ConcurrentHashMap<>() : known;
                    partitions.put(partition, offset);
                    return partitions;
                });
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("the offset store holds an entry '{}' that cannot be read and is left out: {}", key, e.getMessage());
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> read(byte[] json) throws IOException {
        return Collections.unmodifiableMap(JSON.readValue(json, Map.class));
    }

    /** The map in the one form in which equal content is equal: sorted keys, whole numbers as Long, other numbers as Double. */
    private static Map<String, Object> canonical(Map<String, ?> map) {
        Map<String, Object> sorted = new TreeMap<>();
        map.forEach((key, value) -> sorted.put(Objects.requireNonNull(key, "key"), canonicalValue(key, value)));
        return sorted;
    }

    private static Object canonicalValue(String key, Object value) {
        if (value == null || value instanceof String || value instanceof Boolean || value instanceof Long) {
            return value;
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isFinite(number)) {
                return number;
            }
        }
        if (value instanceof Map<?, ?> nested) {
            Map<String, Object> copy = new HashMap<>();
            nested.forEach((name, inner) -> copy.put(String.valueOf(name), inner));
            return canonical(copy);
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            list.forEach(inner -> copy.add(canonicalValue(key, inner)));
            return copy;
        }
        throw new IllegalArgumentException("the value of '" + key + "' in a partition or offset cannot be " + value + " of type "
            + value.getClass().getName() + "; it needs a string, a number, a boolean, null, or a map or list of these");
    }

    @Override
    public Optional<Map<String, Object>> get(String connector, Map<String, ?> partition) {
        ConcurrentMap<Map<String, Object>, Map<String, Object>> known = offsets.get(connector);
        return known == null ? Optional.empty() : Optional.ofNullable(known.get(canonical(partition)));
    }

    @Override
    public Map<Map<String, Object>, Map<String, Object>> all(String connector) {
        ConcurrentMap<Map<String, Object>, Map<String, Object>> known = offsets.get(connector);
        return known == null ? Map.of() : new LinkedHashMap<>(known);
    }

    @Override
    public CompletableFuture<Void> commit(String connector, Map<? extends Map<String, ?>, ? extends Map<String, ?>> changes) {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try {
            for (Map.Entry<? extends Map<String, ?>, ? extends Map<String, ?>> change : changes.entrySet()) {
                byte[] value = change.getValue() == null ? null : JSON.writeValueAsBytes(canonical(change.getValue()));
                entries.put(connector + SEPARATOR + JSON.writeValueAsString(canonical(change.getKey())), value);
            }
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return CompletableFuture.failedFuture(new IOException("cannot store an offset of connector '" + connector + "': " + e.getMessage(), e));
        }
        return CompletableFuture.allOf(entries.entrySet().stream().map(entry -> log.append(entry.getKey(), entry.getValue()))
            .toArray(CompletableFuture[]::new)).exceptionallyCompose(e -> CompletableFuture.failedFuture(e.getCause() == null ? e : e.getCause()));
    }

    @Override
    public CompletableFuture<Void> clear(String connector) {
        Map<Map<String, Object>, Map<String, Object>> none = new HashMap<>();
        all(connector).keySet().forEach(partition -> none.put(partition, null));
        return commit(connector, none);
    }

    @Override
    public void close() {
        log.close();
    }
}
