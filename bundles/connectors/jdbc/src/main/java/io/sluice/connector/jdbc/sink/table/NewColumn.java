package io.sluice.connector.jdbc.sink.table;

import io.openmessaging.connector.api.data.Schema;
import io.sluice.connector.jdbc.sink.dialect.ValueType;
import java.util.Objects;
import java.util.Optional;

/**
 * A column to be made.
 *
 * @param type what it is to hold
 * @param key whether it belongs to the primary key
 * @param optional whether it may be null
 * @param defaultValue its default
 */
public record NewColumn(String name, ValueType type, boolean key, boolean optional, Optional<Object> defaultValue) {

    public NewColumn {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(defaultValue, "defaultValue");
    }

    /** The column for a field with a schema. */
    public static NewColumn of(String name, Schema schema, boolean key) {
        return new NewColumn(name, ValueType.of(schema), key, !key && schema.isOptional(), Optional.ofNullable(schema.getDefaultValue()));
    }
}
