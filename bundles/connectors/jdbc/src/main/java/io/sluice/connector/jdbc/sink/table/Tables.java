package io.sluice.connector.jdbc.sink.table;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.sink.SinkOptions;
import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.connector.jdbc.sink.dialect.Dialect;
import io.sluice.connector.jdbc.sink.row.Shape;
import io.sluice.connector.jdbc.sink.row.Source;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables that rows go to: looked up once, made or extended when records want that and the configuration allows it. Columns are never
 * dropped or changed. Used by one thread; what it does to a table is a transaction of its own.
 */
public final class Tables {

    private static final Logger LOG = LoggerFactory.getLogger(Tables.class);

    private final SinkOptions options;
    private final Dialect dialect;
    private final TableReader reader;
    private final Map<String, Table> known = new HashMap<>();

    public Tables(SinkOptions options, Dialect dialect, TableReader reader) {
        this.options = options;
        this.dialect = dialect;
        this.reader = reader;
    }

    /** Forgets what is known, so that it is looked up again. */
    public void forget() {
        known.clear();
    }

    /**
     * The table for records of this shape, with a column for each of its columns.
     *
     * @throws DataProblem if it cannot be made, or lacks columns and cannot be extended
     * @throws ConnectException if there is none and none is to be made
     */
    public Table ensure(Connection connection, Shape shape) throws SQLException {
        Table table = known.get(shape.table());
        if (table == null) {
            table = reader.find(connection, shape.table()).orElse(null);
        }
        if (table == null) {
            table = create(connection, shape);
        }
        known.put(shape.table(), table);
        List<Source> missing = missing(table, shape);
        if (!missing.isEmpty()) {
            table = extend(connection, shape, table, missing);
            known.put(shape.table(), table);
        }
        return table;
    }

    private static List<Source> missing(Table table, Shape shape) {
        return shape.columns().stream().filter(source -> table.column(source.column()).isEmpty()).toList();
    }

    private Table create(Connection connection, Shape shape) throws SQLException {
        if (!options.autoCreate()) {
            throw new ConnectException("there is no table " + reader.newTable(shape.table()) + " for the records' topic; create it, set auto.create=true, or "
                + "change table.name.format or table.types");
        }
        if (shape.delete()) {
            throw new DataProblem("there is no such table yet, and a row to delete does not tell its columns");
        }
        List<NewColumn> columns = new ArrayList<>();
        shape.keys().forEach(source -> columns.add(column(source, true)));
        shape.values().forEach(source -> columns.add(column(source, false)));
        List<String> names = columns.stream().map(NewColumn::name).toList();
        String sql = dialect.createTable(reader.newTable(shape.table()), columns);
        change(connection, shape.table(), sql, names);
        return reader.find(connection, shape.table()).orElseThrow(() -> new ConnectException("the table " + shape.table() + " was made by '" + sql
            + "', but the database does not show it; look at table.types and at the connection's schema"));
    }

    private static NewColumn column(Source source, boolean key) {
        if (source.schema() == null) {
            throw new DataProblem("there is no column " + source.column() + ", and a value without a schema does not tell the type of a new one; make it by hand");
        }
        return NewColumn.of(source.column(), source.schema(), key);
    }

    private Table extend(Connection connection, Shape shape, Table stale, List<Source> missing) throws SQLException {
        // Somebody else may have added them since.
        Table table = reader.find(connection, shape.table()).orElse(stale);
        List<Source> lacking = missing(table, shape);
        if (lacking.isEmpty()) {
            return table;
        }
        List<String> names = lacking.stream().map(Source::column).toList();
        if (!options.autoEvolve()) {
            throw new DataProblem("it has no column for " + names + "; add it, set auto.evolve=true, or leave the field out by fields.whitelist");
        }
        if (lacking.stream().anyMatch(shape.keys()::contains)) {
            throw new DataProblem("it has no column for " + names + ", and the columns of a key are not added to a table that is there");
        }
        List<NewColumn> columns = lacking.stream().map(source -> column(source, false)).toList();
        for (NewColumn column : columns) {
            change(connection, shape.table(), dialect.addColumn(table.sql(), column), List.of(column.name()));
        }
        return reader.find(connection, shape.table()).orElseThrow();
    }

    /** Executes DDL. That another task was faster is no failure. @param wanted the columns that there shall be then */
    private void change(Connection connection, String name, String sql, Collection<String> wanted) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            connection.commit();
            LOG.info("{}", sql);
        } catch (SQLException e) {
            connection.rollback();
            Optional<Table> now = reader.find(connection, name);
            if (now.isEmpty() || !wanted.stream().allMatch(column -> now.get().column(column).isPresent())) {
                throw new SQLException("'" + sql + "' failed: " + e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
            }
        }
    }
}
