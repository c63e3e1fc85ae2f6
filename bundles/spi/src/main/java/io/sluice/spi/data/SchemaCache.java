package io.sluice.spi.data;

import io.openmessaging.connector.api.data.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Values derived from schemas, remembered by the identity of the schema.
 *
 * <p>Sources send many records with the same schema object, and comparing or hashing a schema walks all of it, so that identity is the
 * only key that pays. A schema must not be changed once records with it are under way. When the cache is full, the value that
 * was asked for longest ago is dropped. Thread-safe; two threads that ask for a new schema at once may both derive its value.
 *
 * @param <V> what is derived from a schema; never null
 */
public final class SchemaCache<V> {

    private final int capacity;
    private final Function<? super Schema, ? extends V> derive;
    private final Map<Key, V> values;
    private Entry<V> last;

    /**
     * @param capacity the most values to keep, at least 1
     * @param derive makes the value for a schema that is not in the cache; may ask the cache for other schemas
     */
    public SchemaCache(int capacity, Function<? super Schema, ? extends V> derive) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a cache of " + capacity + " values keeps nothing");
        }
        this.capacity = capacity;
        this.derive = Objects.requireNonNull(derive, "derive");
        this.values = new LinkedHashMap<>(16, 0.75f, true);
    }

    /** The value for {@code schema}; what the derivation throws goes to the caller, and is tried again the next time. */
    public V get(Schema schema) {
        // Read without a lock: an entry is immutable, and a stale one only costs the way below.
        Entry<V> recent = last;
        if (recent != null && recent.schema == schema) {
            return recent.value;
        }
        Key key = new Key(Objects.requireNonNull(schema, "schema"));
        V value;
        synchronized (values) {
            value = values.get(key);
        }
        if (value == null) {
            value = Objects.requireNonNull(derive.apply(schema), "derived value");
            synchronized (values) {
                values.put(key, value);
                if (values.size() > capacity) {
                    values.remove(values.keySet().iterator().next());
                }
            }
        }
        last = new Entry<>(schema, value);
        return value;
    }

    /** How many values are kept at present. */
    public int size() {
        synchronized (values) {
            return values.size();
        }
    }

    private record Entry<V>(Schema schema, V value) {
    }

    private static final class Key {

        private final Schema schema;

        Key(Schema schema) {
            this.schema = schema;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.schema == schema;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(schema);
        }
    }
}
