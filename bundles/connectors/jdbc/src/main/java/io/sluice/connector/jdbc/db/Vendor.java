package io.sluice.connector.jdbc.db;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;

/** The families of databases whose ways the connectors know. */
public enum Vendor {
    POSTGRESQL,
    /** MySQL and MariaDB; {@link Database#isMariaDb()} tells them apart where it matters. */
    MYSQL,
    H2,
    DERBY,
    SQLITE,
    /** Any other: what the JDBC metadata say is all that is known. */
    GENERIC;

    /** By the product's name, or by the URL when a compatible product has a name of its own. */
    static Vendor of(DatabaseMetaData metaData) throws SQLException {
        String product = metaData.getDatabaseProductName().toLowerCase(Locale.ROOT);
        if (product.contains("postgres")) {
            return POSTGRESQL;
        }
        if (product.contains("mysql") || product.contains("mariadb")) {
            return MYSQL;
        }
        if (product.equals("h2")) {
            return H2;
        }
        if (product.contains("derby")) {
            return DERBY;
        }
        return product.contains("sqlite") ? SQLITE : ofUrl(metaData.getURL());
    }

    /** By the driver that the URL asks for; {@link #GENERIC} if it is none of those known. */
    public static Vendor ofUrl(String url) {
        return switch (JdbcUrl.subprotocol(url == null ? "" : url)) {
            case "postgresql" -> POSTGRESQL;
            case "mysql", "mariadb" -> MYSQL;
            case "h2" -> H2;
            case "derby" -> DERBY;
            case "sqlite" -> SQLITE;
            default -> GENERIC;
        };
    }
}
