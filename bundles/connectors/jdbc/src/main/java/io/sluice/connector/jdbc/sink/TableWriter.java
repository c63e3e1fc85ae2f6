package io.sluice.connector.jdbc.sink;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.sink.TableNames.Column;
import io.sluice.connector.jdbc.sink.Row.Cell;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes rows of one shape, over one connection, without committing. Knows the tables it has seen. */
final class TableWriter {

    private final Connection connection;
    private final Database database;
    private final SinkConfig config;
    private final Map<String, Map<String, Column>> known = new HashMap<>();

    TableWriter(Connection connection, SinkConfig config) throws SQLException {
        this.connection = connection;
        this.database = Database.of(connection);
        this.config = config;
    }

    /** @param rows of one {@link Row#shape}, at least one */
    void write(String table, List<Row> rows) throws SQLException {
        Row first = rows.get(0);
        Map<String, Column> columns = columns(table, first);
        List<String> keys = spelled(columns, first.keys().keySet(), table);
        List<String> others = spelled(columns, first.others().keySet(), table);
        String quoted = database.quoteTable(table);
        if (first.delete()) {
            batch(database.delete(quoted, keys), rows, columns, row -> values(row.keys()));
            return;
        }
        switch (config.insert_mode().trim().toLowerCase(Locale.ROOT)) {
            case "upsert" -> {
                if (database.hasUpsert()) {
                    batch(database.upsert(quoted, keys, others), rows, columns, row -> both(row.keys(), row.others()));
                } else {
                    updateOrInsert(quoted, rows, columns, keys, others);
                }
            }
            case "update" -> batch(database.update(quoted, keys, others), rows, columns, row -> both(row.others(), row.keys()));
            default -> batch(database.insert(quoted, keys, others), rows, columns, row -> both(row.keys(), row.others()));
        }
    }

    private interface Cells {
        List<Map.Entry<String, Cell>> of(Row row);
    }

    private static List<Map.Entry<String, Cell>> values(Map<String, Cell> cells) {
        return new ArrayList<>(cells.entrySet());
    }

    private static List<Map.Entry<String, Cell>> both(Map<String, Cell> one, Map<String, Cell> other) {
        List<Map.Entry<String, Cell>> cells = values(one);
        cells.addAll(other.entrySet());
        return cells;
    }

    private void batch(String sql, List<Row> rows, Map<String, Column> columns, Cells cells) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Row row : rows) {
                bind(statement, cells.of(row), columns);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private void updateOrInsert(String table, List<Row> rows, Map<String, Column> columns, List<String> keys, List<String> others) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(others.isEmpty() ? database.insert(table, keys, others) : database.update(table, keys, others));
             PreparedStatement insert = connection.prepareStatement(database.insert(table, keys, others))) {
            for (Row row : rows) {
                int changed = 0;
                if (!others.isEmpty()) {
                    bind(update, both(row.others(), row.keys()), columns);
                    changed = update.executeUpdate();
                }
                if (changed == 0) {
                    bind(insert, both(row.keys(), row.others()), columns);
                    insert.executeUpdate();
                }
            }
        }
    }

    private static void bind(PreparedStatement statement, List<Map.Entry<String, Cell>> cells, Map<String, Column> columns) throws SQLException {
        int index = 1;
        for (Map.Entry<String, Cell> cell : cells) {
            Binder.bind(statement, index++, find(columns, cell.getKey()).orElseThrow(), cell.getValue());
        }
    }

    /** A column by name: exactly, or else in whatever case the database keeps it. */
    private static Optional<Column> find(Map<String, Column> columns, String name) {
        Column exact = columns.get(name);
        return exact != null ? Optional.of(exact) : columns.values().stream().filter(column -> column.name().equalsIgnoreCase(name)).findFirst();
    }

    private List<String> spelled(Map<String, Column> columns, Collection<String> names, String table) {
        return names.stream().map(name -> find(columns, name).map(Column::name).orElseThrow(() -> new ConnectException("table '" + table
            + "' has no column '" + name + "'; it has " + columns.keySet() + ". Add it, set 'auto.evolve', or leave the field out by 'fields.whitelist'"))).toList();
    }

    private Map<String, Column> columns(String table, Row row) throws SQLException {
        Map<String, Column> columns = known.get(table);
        if (columns == null) {
            columns = TableNames.columns(connection, table).orElse(null);
        }
        if (columns == null) {
            create(table, row);
            columns = TableNames.columns(connection, table).orElseThrow(() -> new ConnectException("table '" + table + "' was created and cannot be found"));
        }
        List<String> missing = new ArrayList<>();
        for (String name : both(row.keys(), row.others()).stream().map(Map.Entry::getKey).toList()) {
            if (find(columns, name).isEmpty()) {
                missing.add(name);
            }
        }
        if (!missing.isEmpty() && config.auto_evolve()) {
            evolve(table, row, missing);
            columns = TableNames.columns(connection, table).orElseThrow();
        }
        known.put(table, columns);
        return columns;
    }

    private void create(String table, Row row) throws SQLException {
        if (!config.auto_create()) {
            throw new ConnectException("there is no table '" + table + "'; create it, set 'auto.create', or correct 'table.name.format'");
        }
        Map<String, String> definitions = new LinkedHashMap<>();
        row.keys().forEach((name, cell) -> definitions.put(name, ColumnTypes.of(database, name, cell, true) + " NOT NULL"));
        row.others().forEach((name, cell) -> definitions.put(name, ColumnTypes.of(database, name, cell, false)
            + (cell.schema() != null && !cell.schema().isOptional() ? " NOT NULL" : "")));
        String columns = definitions.entrySet().stream().map(entry -> database.quote(entry.getKey()) + " " + entry.getValue()).collect(Collectors.joining(", "));
        String key = row.keys().isEmpty() ? "" : ", PRIMARY KEY (" + row.keys().keySet().stream().map(database::quote).collect(Collectors.joining(", ")) + ")";
        run("CREATE TABLE " + database.quoteTable(table) + " (" + columns + key + ")");
    }

    private void evolve(String table, Row row, List<String> missing) throws SQLException {
        for (String name : missing) {
            Cell cell = Optional.ofNullable(row.others().get(name)).orElseThrow(() -> new ConnectException("table '" + table + "' has no column for the key field '"
                + name + "', and a key is not added to a table; add it yourself"));
            if (cell.schema() != null && !cell.schema().isOptional() && cell.schema().getDefaultValue() == null) {
                throw new ConnectException("table '" + table + "' has no column '" + name + "', and the field is not optional, so the rows that are there would have no value; "
                    + "add the column yourself");
            }
            run("ALTER TABLE " + database.quoteTable(table) + " ADD " + (database == Database.DERBY || database == Database.SQLITE ? "COLUMN " : "")
                + database.quote(name) + " " + ColumnTypes.of(database, name, cell, false));
        }
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        connection.commit();
    }

    /** Forgets what it knows of tables: somebody may have changed one. */
    void forget() {
        known.clear();
    }
}
