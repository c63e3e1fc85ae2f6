package io.sluice.connector.jdbc.source.read;

import io.sluice.connector.jdbc.db.TableName;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What is read as one: a table, or a query.
 *
 * @param table empty for a query
 * @param query empty for a table; without a semicolon at its end
 */
public record Unit(Optional<TableName> table, String query) {

    public Unit {
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(query, "query");
    }

    public static Unit of(TableName table) {
        return new Unit(Optional.of(table), "");
    }

    public static Unit ofQuery(String query) {
        String text = query.strip();
        while (text.endsWith(";")) {
            text = text.substring(0, text.length() - 1).stripTrailing();
        }
        return new Unit(Optional.empty(), text);
    }

    /** The source partition. */
    public Map<String, Object> partition() {
        return table.isPresent() ? Map.of("table", table.get().toString()) : Map.of("query", query);
    }

    /** The name of the records' schema. */
    String schemaName() {
        return table.map(TableName::table).orElse("query");
    }

    /** For messages. */
    @Override
    public String toString() {
        return table.map(name -> "table " + name).orElse("the query");
    }
}
