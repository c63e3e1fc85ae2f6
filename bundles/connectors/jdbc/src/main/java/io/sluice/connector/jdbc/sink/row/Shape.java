package io.sluice.connector.jdbc.sink.row;

import io.sluice.connector.jdbc.sink.dialect.ValueType;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What the records of one form become: which table, which columns, and where their values are found. Equal for equal schemas.
 *
 * @param table the table's name as the configuration makes it from the topic
 * @param delete whether the records delete
 * @param keys the columns of the key; empty if there is none
 * @param values all other columns; empty for a delete
 */
public record Shape(String table, boolean delete, List<Source> keys, List<Source> values) {

    public Shape {
        Objects.requireNonNull(table, "table");
        keys = List.copyOf(keys);
        values = List.copyOf(values);
    }

    /** Key columns first. */
    public List<Source> columns() {
        return Stream.concat(keys.stream(), values.stream()).toList();
    }

    /** True if two keys are the same row to the database exactly when they are equal here. */
    public boolean hasWholeKey() {
        return !keys.isEmpty() && keys.stream().allMatch(key -> ValueType.of(key.schema()).isWhole());
    }
}
