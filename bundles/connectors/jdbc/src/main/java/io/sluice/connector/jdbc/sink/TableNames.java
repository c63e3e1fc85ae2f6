package io.sluice.connector.jdbc.sink;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the database's catalogue says of tables and their columns. */
final class TableNames {

    /** A column. @param type one of {@link java.sql.Types} */
    record Column(String name, int type, String typeName, boolean nullable) { }

    private TableNames() {
    }

    /** The tables of the connection's schema, by name. */
    static List<String> all(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet tables = connection.getMetaData().getTables(connection.getCatalog(), connection.getSchema(), "%", new String[] {"TABLE"})) {
            while (tables.next()) {
                names.add(tables.getString("TABLE_NAME"));
            }
        }
        names.sort(null);
        return names;
    }

    /** The columns of a table in order, by name; empty if there is no such table. */
    static Optional<Map<String, Column>> columns(Connection connection, String table) throws SQLException {
        DatabaseMetaData meta = connection.getMetaData();
        Map<String, Column> columns = new LinkedHashMap<>();
        try (ResultSet found = meta.getColumns(connection.getCatalog(), schema(connection, table), escape(meta, name(table)), "%")) {
            while (found.next()) {
                columns.put(found.getString("COLUMN_NAME"), new Column(found.getString("COLUMN_NAME"), found.getInt("DATA_TYPE"),
                    found.getString("TYPE_NAME"), found.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls));
            }
        }
        return columns.isEmpty() ? Optional.empty() : Optional.of(columns);
    }

    /** The columns of a table's primary key, in key order. */
    static List<String> primaryKey(Connection connection, String table) throws SQLException {
        Map<Short, String> keys = new java.util.TreeMap<>();
        try (ResultSet found = connection.getMetaData().getPrimaryKeys(connection.getCatalog(), schema(connection, table), name(table))) {
            while (found.next()) {
                keys.put(found.getShort("KEY_SEQ"), found.getString("COLUMN_NAME"));
            }
        }
        return List.copyOf(keys.values());
    }

    private static String escape(DatabaseMetaData meta, String name) throws SQLException {
        String escape = meta.getSearchStringEscape();
        return escape == null || escape.isEmpty() ? name : name.replace("_", escape + "_").replace("%", escape + "%");
    }

    private static String schema(Connection connection, String table) throws SQLException {
        int dot = table.lastIndexOf('.');
        return dot < 0 ? connection.getSchema() : table.substring(0, dot);
    }

    private static String name(String table) {
        return table.substring(table.lastIndexOf('.') + 1);
    }
}
