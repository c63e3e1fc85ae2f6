package io.sluice.connector.jdbc.sink.write;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.sink.SinkOptions;
import io.sluice.connector.jdbc.sink.SinkOptions.InsertMode;
import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.connector.jdbc.sink.dialect.Dialect;
import io.sluice.connector.jdbc.sink.dialect.Sql;
import io.sluice.connector.jdbc.sink.row.Shape;
import io.sluice.connector.jdbc.sink.row.Source;
import io.sluice.connector.jdbc.sink.table.Column;
import io.sluice.connector.jdbc.sink.table.Table;
import io.sluice.connector.jdbc.sink.table.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the plans by which records are written, and remembers them for as long as their tables are known. Used by one thread. */
final class Plans {

    private static final int REMEMBERED = 512;
    private static final long FRESH_NANOS = Duration.ofMillis(100).toNanos();

    private final SinkOptions options;
    private final Dialect dialect;
    private final Tables tables;
    private final Map<Shape, RowPlan> byShape = new IdentityHashMap<>();
    private long readNanos = System.nanoTime();

    Plans(SinkOptions options, Dialect dialect, Tables tables) {
        this.options = options;
        this.dialect = dialect;
        this.tables = tables;
    }

    /** Whether what is known of the tables may well have changed since. Short, but long enough to bound the cost of records that are bad anyway. */
    boolean areOld() {
        return System.nanoTime() - readNanos > FRESH_NANOS;
    }

    /** Forgets all tables, so that they are looked at again. */
    void forget() {
        readNanos = System.nanoTime();
        byShape.clear();
        tables.forget();
    }

    /**
     * The plan for a shape; makes or extends the table if that is wanted and needed.
     *
     * @throws DataProblem if records of this shape have no place in the table
     * @throws ConnectException if no record has
     */
    RowPlan of(Connection connection, Shape shape) throws SQLException {
        RowPlan known = byShape.get(shape);
        if (known != null) {
            return known;
        }
        Table table = tables.ensure(connection, shape);
        if (byShape.size() >= REMEMBERED || byShape.values().stream().anyMatch(plan -> plan.table().sql().equals(table.sql()) && plan.table() != table)) {
            // The table has more columns than the others know of; they stay right, but one table has one description.
            byShape.clear();
        }
        RowPlan plan = make(shape, table);
        byShape.put(shape, plan);
        return plan;
    }

    private RowPlan make(Shape shape, Table table) {
        List<Binding> bindings = new ArrayList<>();
        for (Source source : shape.columns()) {
            Column column = table.column(source.column()).orElseThrow();
            bindings.add(new Binding(source, column, dialect.target(column), dialect.conversion(source.schema(), column)));
        }
        List<Column> keyColumns = bindings.subList(0, shape.keys().size()).stream().map(Binding::column).toList();
        boolean upsert = !shape.delete() && options.insertMode() == InsertMode.UPSERT;
        if (upsert && dialect.upsertNeedsUniqueKey() && table.keysKnown() && !table.hasUniqueKey(keyColumns)) {
            throw new ConnectException("insert.mode=upsert: table " + table.sql() + " has no primary key or unique index on exactly the columns "
                + keyColumns.stream().map(Column::name).toList() + "; create one, or name the columns of its key in pk.fields");
        }
        boolean overwrites = shape.delete() || options.insertMode() != InsertMode.INSERT;
        return new RowPlan(shape, table, bindings, statements(shape, table, bindings), overwrites, dialect);
    }

    private Statements statements(Shape shape, Table table, List<Binding> bindings) {
        List<String> names = bindings.stream().map(binding -> binding.column().name()).toList();
        List<String> keys = names.subList(0, shape.keys().size());
        List<String> values = names.subList(shape.keys().size(), names.size());
        if (shape.delete()) {
            return new Statements.Direct(dialect.delete(table.sql(), keys));
        }
        return switch (options.insertMode()) {
            case INSERT -> new Statements.Direct(dialect.insert(table.sql(), keys, values));
            case UPDATE -> values.isEmpty() ? new Statements.None() : new Statements.Direct(dialect.update(table.sql(), keys, values));
            case UPSERT -> {
                Optional<Sql> upsert = dialect.upsert(table.sql(), keys, values);
                yield upsert.isPresent() ? new Statements.Direct(upsert.get())
                    : new Statements.UpdateOrInsert(values.isEmpty() ? dialect.exists(table.sql(), keys) : dialect.update(table.sql(), keys, values),
                        values.isEmpty(), dialect.insert(table.sql(), keys, values));
            }
        };
    }
}
