package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.errors.ConnectException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.List;

/** How the rows of one form of result become records: schemas are made once and are the same objects for all of its rows. Immutable. */
public final class Shape {

    private final String source;
    private final List<ColumnInfo> columns;
    private final ColumnReader[] readers;
    /** For each field the number of its column, from 1. */
    private final int[] numbers;
    private final Schema schema;
    private final Schema keySchema;
    /** For each field of the key its place among those of the value. */
    private final int[] keyFields;

    /** @param keySchema null if records have no key */
    Shape(String source, List<ColumnInfo> columns, ColumnReader[] readers, int[] numbers, Schema schema, Schema keySchema, int[] keyFields) {
        this.source = source;
        this.columns = columns;
        this.readers = readers;
        this.numbers = numbers;
        this.schema = schema;
        this.keySchema = keySchema;
        this.keyFields = keyFields;
    }

    /** The columns that this shape was made from, those that it leaves out included. */
    public List<ColumnInfo> columns() {
        return columns;
    }

    /** A STRUCT with a field for each column. */
    public Schema schema() {
        return schema;
    }

    /** A STRUCT with a field for each column of the key; null if there is no key. */
    public Schema keySchema() {
        return keySchema;
    }

    /**
     * The values of the current row, in the order of the schema's fields.
     *
     * @throws ConnectException if one has no counterpart; says where and what to do
     */
    public Object[] read(ResultSet row) throws SQLException {
        Object[] values = new Object[readers.length];
        for (int i = 0; i < values.length; i++) {
            try {
                values[i] = readers[i].read(row, numbers[i]);
            } catch (ValueProblem e) {
                throw new ConnectException(where(i) + ": " + e.getMessage(), e);
            } catch (DateTimeException | NumberFormatException e) {
                throw new ConnectException(where(i) + ": the value cannot be read: " + e.getMessage() + "; cast the column to text by a 'query'", e);
            }
        }
        return values;
    }

    private String where(int field) {
        return source + ", " + columns.get(numbers[field] - 1).described();
    }

    public Struct value(Object[] values) {
        Struct struct = new Struct(schema);
        struct.setValues(values);
        return struct;
    }

    /** Only if there is a {@link #keySchema()}. */
    public Struct key(Object[] values) {
        Object[] keys = new Object[keyFields.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = values[keyFields[i]];
        }
        Struct struct = new Struct(keySchema);
        struct.setValues(keys);
        return struct;
    }
}
