package io.sluice.connector.jdbc.db;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What kind of database a connection leads to, and how it writes names. Immutable; holds no connection.
 *
 * @param vendor the family
 * @param product its name for people, with the version
 * @param major the product's major version
 * @param minor the product's minor version
 * @param quote what stands before and after a quoted identifier; empty if the database knows none
 * @param unquoted what becomes of letters in an identifier that is not quoted
 * @param catalogSeparator what stands between a catalog and what follows it
 */
public record Database(Vendor vendor, String product, int major, int minor, String quote, Letters unquoted, String catalogSeparator) {

    /** What becomes of the letters of an identifier that is not quoted. */
    public enum Letters { UPPER, LOWER, KEPT }

    public Database {
        Objects.requireNonNull(vendor, "vendor");
        Objects.requireNonNull(product, "product");
        Objects.requireNonNull(quote, "quote");
        Objects.requireNonNull(unquoted, "unquoted");
        Objects.requireNonNull(catalogSeparator, "catalogSeparator");
    }

    /** Asks the driver. */
    public static Database of(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        String quote = metaData.getIdentifierQuoteString();
        String separator = metaData.getCatalogSeparator();
        return new Database(
            Vendor.of(metaData),
            metaData.getDatabaseProductName() + " " + metaData.getDatabaseProductVersion(),
            metaData.getDatabaseMajorVersion(),
            metaData.getDatabaseMinorVersion(),
            quote == null || quote.isBlank() ? "" : quote.trim(),
            metaData.storesUpperCaseIdentifiers() ? Letters.UPPER : metaData.storesLowerCaseIdentifiers() ? Letters.LOWER : Letters.KEPT,
            separator == null || separator.isEmpty() ? "." : separator);
    }

    public boolean isMariaDb() {
        return vendor == Vendor.MYSQL && product.toLowerCase(Locale.ROOT).contains("mariadb");
    }

    /** True where what the standard calls a schema is a catalog for the driver, and there are no schemas. */
    public boolean hasCatalogsOnly() {
        return vendor == Vendor.MYSQL;
    }

    /** The identifier as it must stand in SQL to mean exactly {@code identifier}, whatever its letters. */
    public String quoted(String identifier) {
        return quote.isEmpty() ? identifier : quote + identifier.replace(quote, quote + quote) + quote;
    }

    /** As {@link #quoted(String)}, all parts. */
    public String quoted(TableName name) {
        String rest = name.schema().map(schema -> quoted(schema) + ".").orElse("") + quoted(name.table());
        return name.catalog().map(catalog -> quoted(catalog) + catalogSeparator).orElse("") + rest;
    }

    /** The identifiers quoted, with commas between them. */
    public String quoted(List<String> identifiers) {
        return identifiers.stream().map(this::quoted).collect(Collectors.joining(", "));
    }

    /** What the database makes of an identifier that is written without quotes. */
    public String folded(String identifier) {
        return switch (unquoted) {
            case UPPER -> identifier.toUpperCase(Locale.ROOT);
            case LOWER -> identifier.toLowerCase(Locale.ROOT);
            case KEPT -> identifier;
        };
    }

    /**
     * The table that {@code text} names, letters kept as they are: {@code table}, {@code schema.table} (for MySQL, {@code catalog.table}) or
     * {@code catalog.schema.table}.
     *
     * @throws IllegalArgumentException if it is no name or has too many parts
     */
    public TableName tableName(String text) {
        List<String> parts = TableName.split(text);
        int most = hasCatalogsOnly() ? 2 : 3;
        if (parts.size() > most) {
            throw new IllegalArgumentException("'" + text + "' is no table name: it has " + parts.size() + " parts, and at most " + most
                + " are possible; put parts that hold dots in double quotes");
        }
        String table = parts.get(parts.size() - 1);
        if (parts.size() == 1) {
            return TableName.of(table);
        }
        String before = parts.get(parts.size() - 2);
        return hasCatalogsOnly() ? TableName.of(before, null, table) : TableName.of(parts.size() == 3 ? parts.get(0) : null, before, table);
    }

    /** The name with those parts alone that tell tables of one connection apart, however it was come by. */
    public TableName canonical(TableName name) {
        return switch (vendor) {
            case POSTGRESQL, H2, DERBY -> new TableName(Optional.empty(), name.schema(), name.table());
            case MYSQL -> new TableName(name.catalog(), Optional.empty(), name.table());
            case SQLITE -> TableName.of(name.table());
            case GENERIC -> name;
        };
    }
}
