package io.sluice.transforms.record;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.Transform;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.RecordNames;
import java.util.Locale;
import java.util.Map;

/**
 * A transform of the fields on one side of a record: of a struct if that side has a schema, of a map if it has none. A side that is
 * null (a tombstone's value, a missing key) passes as it is.
 *
 * <p>Subclasses throw {@link IllegalArgumentException} where something does not fit; record and transform are named here.
 */
public abstract class FieldTransform implements Transform<ConnectRecord> {

    /** How many schemas a transform remembers what it has made of. */
    protected static final int SCHEMAS_TO_REMEMBER = 100;

    private final Side side;
    private final String name;

    /** @param name the plugin's name, for messages */
    protected FieldTransform(Side side, String name) {
        this.side = side;
        this.name = name;
    }

    /** Reads the configuration. @throws IllegalArgumentException if it cannot be */
    protected abstract void configure(KeyValue config);

    /** A changed copy of {@code struct}, which has to stay as it is; its schema goes into the new record. */
    protected abstract Struct apply(ConnectRecord record, Struct struct);

    /** A changed copy of {@code map}, which has to stay as it is. */
    protected abstract Map<String, Object> apply(ConnectRecord record, Map<String, Object> map);

    @Override
    public final void validate(KeyValue config) {
        start(config);
    }

    @Override
    public final void start(KeyValue config) {
        try {
            configure(config);
        } catch (IllegalArgumentException e) {
            throw new ConnectException(name + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void stop() {
        // Nothing is held.
    }

    @Override
    public final ConnectRecord doTransform(ConnectRecord record) {
        Object value = side.value(record);
        if (value == null) {
            return record;
        }
        Schema schema = side.schema(record);
        try {
            if (schema == null) {
                return side.with(record, null, apply(record, map(value)));
            }
            if (!(value instanceof Struct struct)) {
                throw new IllegalArgumentException("expected a struct, found a " + value.getClass().getName());
            }
            Struct changed = apply(record, struct);
            return side.with(record, changed.schema(), changed);
        } catch (IllegalArgumentException e) {
            throw new ConnectException(name + ": topic '" + RecordNames.topicOf(record).orElse("(not known)") + "', "
                + side.name().toLowerCase(Locale.ROOT) + ": " + e.getMessage(), e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        if (value instanceof Map<?, ?> map && map.keySet().stream().allMatch(String.class::isInstance)) {
            return (Map<String, Object>) map;
        }
        throw new IllegalArgumentException("expected a map with names for keys, since there is no schema, found a "
            + value.getClass().getName());
    }
}
