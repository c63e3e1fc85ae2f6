package io.sluice.connector.jdbc.source.tables;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.db.Database;
import io.sluice.connector.jdbc.db.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which tables a configuration selects.
 *
 * @param whitelist names and patterns; empty for all
 * @param blacklist names and patterns
 * @param catalog {@code catalog.pattern}; empty for the connection's
 * @param schema {@code schema.pattern}; empty for the connection's
 * @param types what the driver may call a table
 */
public record TableSelection(List<String> whitelist, List<String> blacklist, Optional<String> catalog, Optional<String> schema, List<String> types) {

    public TableSelection {
        whitelist = List.copyOf(whitelist);
        blacklist = List.copyOf(blacklist);
        Objects.requireNonNull(catalog, "catalog");
        Objects.requireNonNull(schema, "schema");
        types = List.copyOf(types);
    }

    /**
     * The tables, in the order of their names.
     *
     * @throws ConnectException if one that is named is not there, or could be one of several
     */
    public List<TableName> find(Connection connection, Database database) throws SQLException {
        Tables tables = new Tables(connection, database);
        Tables.Scope home = new Tables.Scope(catalog.or(() -> currentCatalog(connection)), schema.or(() -> currentSchema(connection, database)));
        TreeMap<String, TableName> found = new TreeMap<>();
        if (whitelist.isEmpty()) {
            tables.in(home).stream().filter(this::isOfType).forEach(table -> found.put(table.name().toString(), table.name()));
        }
        for (String entry : whitelist) {
            TableName wanted = nameOf(database, entry);
            matches(entry, wanted, tables.in(scope(wanted, home, database, connection))).forEach(table -> found.put(table.toString(), table));
        }
        for (String entry : blacklist) {
            TableName unwanted = nameOf(database, entry);
            found.values().removeIf(table -> isMatch(unwanted, table, TableSelection::likeIgnoringCase));
        }
        return List.copyOf(found.values());
    }

    private static TableName nameOf(Database database, String entry) {
        try {
            return database.tableName(entry);
        } catch (IllegalArgumentException e) {
            throw new ConnectException(e.getMessage(), e);
        }
    }

    private static Optional<String> currentCatalog(Connection connection) {
        try {
            return Optional.ofNullable(connection.getCatalog()).filter(name -> !name.isEmpty());
        } catch (SQLException | AbstractMethodError e) {
            // A driver of old does not know; then all catalogs are looked at.
            return Optional.empty();
        }
    }

    private static Optional<String> currentSchema(Connection connection, Database database) {
        try {
            return database.hasCatalogsOnly() ? Optional.empty()
                : Optional.ofNullable(connection.getSchema()).filter(name -> !name.isEmpty()).map(name -> Tables.literal(connection, name));
        } catch (SQLException | AbstractMethodError e) {
            // As above.
            return Optional.empty();
        }
    }

    /** Where a name with a catalog or schema is to be looked for; letters may still be wrong, so all schemas may have to be looked at. */
    private static Tables.Scope scope(TableName wanted, Tables.Scope home, Database database, Connection connection) {
        if (wanted.catalog().isEmpty() && wanted.schema().isEmpty()) {
            return home;
        }
        if (database.hasCatalogsOnly()) {
            return new Tables.Scope(wanted.catalog().filter(name -> !isPattern(name)), Optional.empty());
        }
        return new Tables.Scope(wanted.catalog().filter(name -> !isPattern(name)).or(() -> currentCatalog(connection)), Optional.empty());
    }

    private Set<TableName> matches(String entry, TableName wanted, List<Tables.Found> tables) {
        boolean pattern = wanted.parts().stream().anyMatch(TableSelection::isPattern);
        List<Tables.Found> eligible = tables.stream().filter(table -> pattern ? isOfType(table) : table.isReadable()).toList();
        Set<TableName> matches = matches(wanted, eligible, TableSelection::like);
        if (matches.isEmpty()) {
            matches = matches(wanted, eligible, TableSelection::likeIgnoringCase);
        }
        if (!pattern && matches.isEmpty()) {
            throw new ConnectException("there is no table '" + entry + "', which 'table.whitelist' names: it was never there or was dropped or renamed, or the user may not see it; "
                + "correct the name, or write it as a pattern ('" + entry + "*') if it is still to come");
        }
        if (!pattern && matches.size() > 1) {
            throw new ConnectException("'" + entry + "' in 'table.whitelist' may be any of " + matches.stream().map(TableName::toString).sorted().collect(Collectors.joining(", "))
                + "; write the one that is meant, letter by letter, with its schema");
        }
        return matches;
    }

    private static Set<TableName> matches(TableName wanted, List<Tables.Found> tables, BiPredicate<String, String> like) {
        return tables.stream().map(Tables.Found::name).filter(name -> isMatch(wanted, name, like)).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private boolean isOfType(Tables.Found table) {
        return types.stream().anyMatch(table::isOf);
    }

    private static boolean isMatch(TableName wanted, TableName name, BiPredicate<String, String> like) {
        return like.test(wanted.table(), name.table()) && isPart(wanted.schema(), name.schema(), like) && isPart(wanted.catalog(), name.catalog(), like);
    }

    /** What is not said, on either side, is no contradiction. */
    private static boolean isPart(Optional<String> wanted, Optional<String> name, BiPredicate<String, String> like) {
        return wanted.isEmpty() || name.isEmpty() || like.test(wanted.get(), name.get());
    }

    private static boolean isPattern(String part) {
        return part.indexOf('*') >= 0;
    }

    private static boolean like(String pattern, String name) {
        return isPattern(pattern) ? regex(pattern).matcher(name).matches() : pattern.equals(name);
    }

    private static boolean likeIgnoringCase(String pattern, String name) {
        return like(pattern.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
    }

    private static Pattern regex(String pattern) {
        return Pattern.compile("\\Q" + pattern.replace("\\E", "\\E\\\\E\\Q").replace("*", "\\E.*\\Q") + "\\E", Pattern.DOTALL);
    }
}
