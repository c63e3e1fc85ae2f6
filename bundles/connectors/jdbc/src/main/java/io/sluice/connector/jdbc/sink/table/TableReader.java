package io.sluice.connector.jdbc.sink.table;

import io.sluice.connector.jdbc.db.Database;
import io.sluice.connector.jdbc.db.TableName;
import io.sluice.connector.jdbc.sink.bind.DataProblem;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Looks tables up in the JDBC metadata: by exactly the name that is configured, else by the one table whose name differs from it in nothing
 * but case, so that a table that was made without quotes is found.
 */
public final class TableReader {

    /** Names that drivers have for what everybody calls a table. */
    private static final Set<String> PLAIN_TABLES = Set.of("TABLE", "BASE TABLE", "PARTITIONED TABLE");

    private final Database database;
    private final boolean quoted;
    private final Set<String> types;

    /**
     * @param quoted whether names are quoted in statements
     * @param types the kinds of tables, in the words of the driver
     */
    public TableReader(Database database, boolean quoted, Set<String> types) {
        this.database = Objects.requireNonNull(database, "database");
        this.quoted = quoted;
        this.types = types.stream().map(type -> type.toUpperCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    /** A column's name as it stands in statements. */
    public String column(String name) {
        return quoted ? database.quoted(name) : name;
    }

    /** The name of a table that is to be made, as it stands in statements. @param name as configured */
    public String newTable(String name) {
        return sql(parse(name));
    }

    private String sql(TableName name) {
        return quoted ? database.quoted(name) : String.join(".", name.parts());
    }

    private TableName parse(String name) {
        try {
            return database.tableName(name);
        } catch (IllegalArgumentException e) {
            throw new DataProblem(e.getMessage(), e);
        }
    }

    /**
     * The table of this name.
     *
     * @param configured as the configuration has it
     * @throws DataProblem if it is no name
     */
    public Optional<Table> find(Connection connection, String configured) throws SQLException {
        TableName wanted = parse(configured);
        boolean qualified = wanted.parts().size() > 1;
        Optional<String> catalog = wanted.catalog().or(() -> database.hasCatalogsOnly() ? current(connection, true) : Optional.empty());
        Optional<String> schema = wanted.schema().or(() -> database.hasCatalogsOnly() ? Optional.empty() : current(connection, false));
        Optional<Found> found = find(connection.getMetaData(), new TableName(catalog, schema, wanted.table()));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        TableName name = found.get().name();
        // What needs no qualification gets none: a driver's catalog for the current database may not be allowed in statements.
        return Optional.of(read(connection.getMetaData(), found.get(), sql(qualified ? database.canonical(name) : TableName.of(name.table()))));
    }

    private record Found(TableName name, String type) {
    }

    private static Optional<String> current(Connection connection, boolean catalog) {
        try {
            return Optional.ofNullable(catalog ? connection.getCatalog() : connection.getSchema());
        } catch (SQLException | AbstractMethodError e) {
            // Drivers from before JDBC 4.1 know no current schema; then the table is looked for in all.
            return Optional.empty();
        }
    }

    private Optional<Found> find(DatabaseMetaData metaData, TableName wanted) throws SQLException {
        Map<String, Found> candidates = new TreeMap<>();
        Set<String> spellings = new HashSet<>(List.of(wanted.table(), database.folded(wanted.table()), wanted.table().toUpperCase(Locale.ROOT),
            wanted.table().toLowerCase(Locale.ROOT)));
        for (String spelling : spellings) {
            for (String schema : wanted.schema().isEmpty() ? List.of("") : List.of(wanted.schema().get(), database.folded(wanted.schema().get()))) {
                tables(metaData, wanted.catalog(), schema, spelling).forEach(found -> candidates.put(found.name().toString(), found));
            }
        }
        List<Found> exact = candidates.values().stream().filter(found -> found.name().table().equals(wanted.table())
            && (wanted.schema().isEmpty() || wanted.schema().equals(found.name().schema()))).toList();
        if (!exact.isEmpty()) {
            return Optional.of(exact.get(0));
        }
        return candidates.size() == 1 ? Optional.of(candidates.values().iterator().next()) : Optional.empty();
    }

    private List<Found> tables(DatabaseMetaData metaData, Optional<String> catalog, String schema, String table) throws SQLException {
        List<Found> found = new ArrayList<>();
        String escape = metaData.getSearchStringEscape();
        try (ResultSet rows = metaData.getTables(catalog.orElse(null), schema.isEmpty() ? null : pattern(schema, escape), pattern(table, escape), null)) {
            while (rows.next()) {
                String name = rows.getString("TABLE_NAME");
                String type = String.valueOf(rows.getString("TABLE_TYPE")).toUpperCase(Locale.ROOT);
                if (table.equalsIgnoreCase(name) && isWanted(type)) {
                    found.add(new Found(TableName.of(rows.getString("TABLE_CAT"), rows.getString("TABLE_SCHEM"), name), type));
                }
            }
        }
        return found;
    }

    private boolean isWanted(String type) {
        return types.contains(type) || types.contains("TABLE") && PLAIN_TABLES.contains(type);
    }

    private static String pattern(String name, String escape) {
        return escape == null || escape.isEmpty() ? name : name.replace(escape, escape + escape).replace("_", escape + "_").replace("%", escape + "%");
    }

    private Table read(DatabaseMetaData metaData, Found found, String sql) throws SQLException {
        TableName name = found.name();
        String catalog = name.catalog().orElse(null);
        String schema = name.schema().orElse(null);
        List<Column> columns = new ArrayList<>();
        String escape = metaData.getSearchStringEscape();
        try (ResultSet rows = metaData.getColumns(catalog, schema == null ? null : pattern(schema, escape), pattern(name.table(), escape), null)) {
            Set<String> labels = labels(rows);
            while (rows.next()) {
                if (name.table().equals(rows.getString("TABLE_NAME"))) {
                    columns.add(column(rows, labels));
                }
            }
        }
        boolean keysKnown = PLAIN_TABLES.contains(found.type());
        return new Table(sql, columns, keysKnown ? uniqueKeys(metaData, catalog, schema, name.table()) : List.of(), keysKnown);
    }

    private static Set<String> labels(ResultSet rows) throws SQLException {
        Set<String> labels = new HashSet<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            labels.add(rows.getMetaData().getColumnLabel(i).toUpperCase(Locale.ROOT));
        }
        return labels;
    }

    private static Column column(ResultSet rows, Set<String> labels) throws SQLException {
        String name = rows.getString("COLUMN_NAME");
        int type = rows.getInt("DATA_TYPE");
        String typeName = String.valueOf(rows.getString("TYPE_NAME"));
        int size = rows.getInt("COLUMN_SIZE");
        int scale = rows.getInt("DECIMAL_DIGITS");
        boolean nullable = rows.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls;
        boolean filled = rows.getString("COLUMN_DEF") != null || labels.contains("IS_AUTOINCREMENT") && "YES".equalsIgnoreCase(rows.getString("IS_AUTOINCREMENT"))
            || labels.contains("IS_GENERATEDCOLUMN") && "YES".equalsIgnoreCase(rows.getString("IS_GENERATEDCOLUMN"));
        return new Column(name, type, typeName, size, scale, nullable, filled);
    }

    private static List<Set<String>> uniqueKeys(DatabaseMetaData metaData, String catalog, String schema, String table) throws SQLException {
        Map<String, Set<String>> keys = new LinkedHashMap<>();
        try (ResultSet rows = metaData.getPrimaryKeys(catalog, schema, table)) {
            while (rows.next()) {
                keys.computeIfAbsent("", unused -> new HashSet<>()).add(rows.getString("COLUMN_NAME"));
            }
        }
        Set<String> partial = new HashSet<>();
        try (ResultSet rows = metaData.getIndexInfo(catalog, schema, table, true, true)) {
            while (rows.next()) {
                String index = rows.getString("INDEX_NAME");
                String column = rows.getString("COLUMN_NAME");
                if (index == null || column == null || rows.getShort("TYPE") == DatabaseMetaData.tableIndexStatistic) {
                    continue;
                }
                keys.computeIfAbsent("index " + index, unused -> new HashSet<>()).add(column);
                if (rows.getString("FILTER_CONDITION") != null) {
                    partial.add("index " + index);
                }
            }
        }
        keys.keySet().removeAll(partial);
        return List.copyOf(keys.values());
    }
}
