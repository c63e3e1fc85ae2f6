package io.sluice.connector.jdbc.sink;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds of databases whose SQL is known; anything else is spoken to in standard SQL. */
enum Database {
    POSTGRESQL("\"") {
        @Override
        String upsert(String table, List<String> keys, List<String> others) {
            return insert(table, keys, others) + " ON CONFLICT (" + names(keys) + ") DO "
                + (others.isEmpty() ? "NOTHING" : "UPDATE SET " + others.stream().map(c -> quote(c) + " = EXCLUDED." + quote(c)).collect(Collectors.joining(", ")));
        }
    },
    SQLITE("\"") {
        @Override
        String upsert(String table, List<String> keys, List<String> others) {
            return POSTGRESQL.upsert(table, keys, others);
        }
    },
    MYSQL("`") {
        @Override
        String upsert(String table, List<String> keys, List<String> others) {
            List<String> set = others.isEmpty() ? keys : others;
            return insert(table, keys, others) + " ON DUPLICATE KEY UPDATE "
                + set.stream().map(c -> quote(c) + " = VALUES(" + quote(c) + ")").collect(Collectors.joining(", "));
        }
    },
    H2("\"") {
        @Override
        String upsert(String table, List<String> keys, List<String> others) {
            return "MERGE INTO " + table + " (" + names(all(keys, others)) + ") KEY (" + names(keys) + ") VALUES (" + marks(keys.size() + others.size()) + ")";
        }
    },
    DERBY("\""),
    GENERIC("\"");

    private final String quote;

    Database(String quote) {
        this.quote = quote;
    }

    /** What the connection's database is. */
    static Database of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
        if (product.contains("postgres")) {
            return POSTGRESQL;
        }
        if (product.contains("mysql") || product.contains("mariadb")) {
            return MYSQL;
        }
        return product.equals("h2") ? H2 : product.contains("derby") ? DERBY : product.contains("sqlite") ? SQLITE : GENERIC;
    }

    /** The name, quoted, so that any name is right as it is. */
    String quote(String name) {
        return quote + name.replace(quote, quote + quote) + quote;
    }

    /** A table's name with its schema, at dots, each part quoted. */
    String quoteTable(String name) {
        return Stream.of(name.split("\\.")).map(this::quote).collect(Collectors.joining("."));
    }

    final String names(List<String> columns) {
        return columns.stream().map(this::quote).collect(Collectors.joining(", "));
    }

    static String marks(int count) {
        return String.join(", ", java.util.Collections.nCopies(count, "?"));
    }

    static List<String> all(List<String> keys, List<String> others) {
        return Stream.concat(keys.stream(), others.stream()).toList();
    }

    /** Parameters: the keys, then the others. @param table quoted */
    String insert(String table, List<String> keys, List<String> others) {
        return "INSERT INTO " + table + " (" + names(all(keys, others)) + ") VALUES (" + marks(keys.size() + others.size()) + ")";
    }

    /** True if {@link #upsert} is one statement. */
    boolean hasUpsert() {
        return this != DERBY && this != GENERIC;
    }

    /** Parameters as for {@link #insert}. Only where {@link #hasUpsert}. */
    String upsert(String table, List<String> keys, List<String> others) {
        throw new UnsupportedOperationException(this + " has no upsert");
    }

    /** Parameters: the others, then the keys. */
    String update(String table, List<String> keys, List<String> others) {
        return "UPDATE " + table + " SET " + others.stream().map(c -> quote(c) + " = ?").collect(Collectors.joining(", ")) + " WHERE " + where(keys);
    }

    /** Parameters: the keys. */
    String delete(String table, List<String> keys) {
        return "DELETE FROM " + table + " WHERE " + where(keys);
    }

    private String where(List<String> keys) {
        return keys.stream().map(c -> quote(c) + " = ?").collect(Collectors.joining(" AND "));
    }

    /** A statement that answers the database's own time. */
    String now() {
        return this == DERBY ? "VALUES CURRENT_TIMESTAMP" : "SELECT CURRENT_TIMESTAMP";
    }
}
