package io.sluice.connector.jdbc.source.tables;

import io.sluice.connector.jdbc.db.Database;
import io.sluice.connector.jdbc.db.TableName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The tables of a database, each part of it asked for once. */
public final class Tables {

    private final Connection connection;
    private final Database database;
    private final Map<Scope, List<Found>> known = new HashMap<>();

    Tables(Connection connection, Database database) {
        this.connection = connection;
        this.database = database;
    }

    /** A part of a database. @param catalog empty for all @param schemaPattern as JDBC has it; empty for all */
    record Scope(Optional<String> catalog, Optional<String> schemaPattern) {
    }

    /** A table or what else the database lists among them. */
    record Found(TableName name, String type) {

        boolean isOf(String wanted) {
            // H2's word for TABLE.
            String its = type.equals("BASE TABLE") ? "TABLE" : type;
            return its.equalsIgnoreCase(wanted.trim()) || type.equalsIgnoreCase(wanted.trim());
        }

        /** False for indexes and sequences, which some drivers list too. */
        boolean isReadable() {
            return type.contains("TABLE") || type.contains("VIEW") || type.contains("SYNONYM") || type.contains("ALIAS");
        }
    }

    List<Found> in(Scope scope) throws SQLException {
        List<Found> found = known.get(scope);
        if (found == null) {
            found = list(scope);
            known.put(scope, found);
        }
        return found;
    }

    private List<Found> list(Scope scope) throws SQLException {
        List<Found> found = new ArrayList<>();
        try (ResultSet tables = connection.getMetaData().getTables(scope.catalog().orElse(null), scope.schemaPattern().orElse(null), "%", null)) {
            while (tables.next()) {
                TableName name = TableName.of(tables.getString("TABLE_CAT"), tables.getString("TABLE_SCHEM"), tables.getString("TABLE_NAME"));
                String type = tables.getString("TABLE_TYPE");
                found.add(new Found(database.canonical(name), type == null ? "TABLE" : type.toUpperCase(Locale.ROOT)));
            }
        }
        return found;
    }

    /** True if a table of exactly this name is there. */
    public static boolean exists(Connection connection, TableName table) throws SQLException {
        String schema = table.schema().map(name -> literal(connection, name)).orElse(null);
        try (ResultSet found = connection.getMetaData().getTables(table.catalog().orElse(null), schema, literal(connection, table.table()), null)) {
            return found.next();
        }
    }

    /** A name as a pattern that means it alone. */
    static String literal(Connection connection, String name) {
        try {
            DatabaseMetaData metaData = connection.getMetaData();
            String escape = metaData.getSearchStringEscape();
            return escape == null || escape.isEmpty() ? name
                : name.replace(escape, escape + escape).replace("_", escape + "_").replace("%", escape + "%");
        } catch (SQLException e) {
            // As a pattern it finds the name too, and perhaps others beside it.
            return name;
        }
    }
}
