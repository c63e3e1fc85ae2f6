package io.sluice.connector.jdbc.sink.write;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.connector.jdbc.sink.dialect.Dialect;
import io.sluice.connector.jdbc.sink.row.Shape;
import io.sluice.connector.jdbc.sink.table.Table;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/**
 * How records of one shape are written into one table.
 *
 * @param bindings one for each column, the key's first
 * @param overwrites whether a later row with the same key makes an earlier one needless
 * @param wholeKey whether keys are the same row to the database exactly when they are equal here
 */
record RowPlan(Shape shape, Table table, List<Binding> bindings, Statements statements, boolean overwrites, boolean wholeKey, Dialect dialect) {

    RowPlan {
        Objects.requireNonNull(shape, "shape");
        bindings = List.copyOf(bindings);
    }

    RowPlan(Shape shape, Table table, List<Binding> bindings, Statements statements, boolean overwrites, Dialect dialect) {
        this(shape, table, bindings, statements, overwrites, shape.hasWholeKey(), dialect);
    }

    int keyCount() {
        return shape.keys().size();
    }

    /** @throws RecordProblem if a value cannot be what its column needs */
    Row row(ConnectRecord record) {
        Object[] values = new Object[bindings.size()];
        for (int i = 0; i < values.length; i++) {
            Binding binding = bindings.get(i);
            try {
                Object value = binding.source().read(record);
                if (value != null) {
                    values[i] = dialect.check(binding.column(), binding.target(), binding.conversion().convert(value));
                } else if (i < keyCount()) {
                    throw new DataProblem("it is null, but it is part of the key");
                }
            } catch (DataProblem e) {
                throw RecordProblem.ofValue(record, table.sql(), binding.column().name(), e);
            }
        }
        return new Row(record, this, values);
    }

    void bind(PreparedStatement statement, int[] slots, Row row) throws SQLException {
        for (int i = 0; i < slots.length; i++) {
            Binding binding = bindings.get(slots[i]);
            dialect.set(statement, i + 1, binding.column(), binding.target(), row.values()[slots[i]]);
        }
    }

    /** Plans are one object for one shape; comparing their parts would walk schemas. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
