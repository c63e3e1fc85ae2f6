package io.sluice.core.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Partitions and offsets in the one form in which equal content is equal: sorted keys, whole numbers as {@code Long}, other numbers as
 * {@code Double}. As JSON it is pure ASCII, so that any text comes back as it was.
 */
final class OffsetMap {

    private static final JsonMapper JSON = JsonMapper.builder().enable(DeserializationFeature.USE_LONG_FOR_INTS)
        .enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final int MAX_DEPTH = 50;

    private OffsetMap() {
    }

    /**
     * The canonical form, unmodifiable all through.
     *
     * @throws IllegalArgumentException if it holds something else than strings, booleans, numbers, null, and maps and lists of these
     */
    static Map<String, Object> canonical(Map<String, ?> map) {
        return canonicalMap("", map, 0);
    }

    private static Map<String, Object> canonicalMap(String path, Map<?, ?> map, int depth) {
        Map<String, Object> sorted = new TreeMap<>();
        map.forEach((key, value) -> {
            if (!(key instanceof String name)) {
                throw new IllegalArgumentException("a key in " + (path.isEmpty() ? "the map" : "'" + path + "'") + " is " + describe(key)
                    + "; keys are strings");
            }
            sorted.put(name, canonicalValue(path.isEmpty() ? name : path + "." + name, value, depth + 1));
        });
        return Collections.unmodifiableMap(sorted);
    }

    private static Object canonicalValue(String path, Object value, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("'" + path + "' is nested deeper than " + MAX_DEPTH + " levels");
        }
        if (value == null || value instanceof String || value instanceof Boolean || value instanceof Long) {
            return value;
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof BigInteger whole && whole.bitLength() < Long.SIZE) {
            return whole.longValue();
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isFinite(number)) {
                return number;
            }
        }
        if (value instanceof Map<?, ?> nested) {
            return canonicalMap(path, nested, depth);
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>(list.size());
            for (Object element : list) {
                copy.add(canonicalValue(path + "[" + copy.size() + "]", element, depth + 1));
            }
            return Collections.unmodifiableList(copy);
        }
        throw new IllegalArgumentException("'" + path + "' is " + describe(value)
            + "; partitions and offsets hold strings, booleans, whole numbers of 64 bits, finite doubles, null, and maps and lists of these");
    }

    private static String describe(Object value) {
        return value == null ? "null" : value + " (" + value.getClass().getName() + ")";
    }

    /** @param canonical in canonical form */
    static String toJson(Map<String, Object> canonical) {
        try {
            return JSON.writeValueAsString(canonical);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
    }

    /** @throws JsonProcessingException if it is not what {@link #toJson} has made */
    @SuppressWarnings("unchecked")
    static Map<String, Object> fromJson(String json) throws JsonProcessingException {
        return canonical(JSON.readValue(json, Map.class));
    }
}
