package io.sluice.connector.jdbc.db;

/** Says which jar brings the driver for a URL. */
final class DriverAdvice {

    private DriverAdvice() {
    }

    /** @param found what looked like a driver but could not serve; empty if there was nothing of the kind */
    static String missing(String url, String found) {
        String subprotocol = JdbcUrl.subprotocol(url);
        if (subprotocol.isEmpty()) {
            return "'" + JdbcUrl.masked(url) + "' is no JDBC URL; it begins with jdbc: and the name of a driver, such as jdbc:postgresql://host/database";
        }
        return "no JDBC driver for 'jdbc:" + subprotocol + ":' is installed" + (found.isEmpty() ? "" : " (" + found + ")") + "; " + remedy(subprotocol);
    }

    private static String remedy(String subprotocol) {
        return switch (subprotocol) {
            case "postgresql" -> drop("postgresql-<version>.jar (org.postgresql:postgresql)");
            case "mariadb" -> drop("mariadb-java-client-<version>.jar (org.mariadb.jdbc:mariadb-java-client)");
            case "mysql" -> drop("mysql-connector-j-<version>.jar (com.mysql:mysql-connector-j)")
                + ", or use MariaDB's driver with a URL that begins with jdbc:mariadb:";
            case "h2" -> drop("h2-<version>.jar (com.h2database:h2)");
            case "derby" -> drop("derby-<version>.jar and derbyshared-<version>.jar (org.apache.derby:derby; derbyclient for a network server)");
            case "sqlite" -> drop("sqlite-jdbc-<version>.jar (org.xerial:sqlite-jdbc)");
            case "oracle" -> drop("ojdbc11-<version>.jar (com.oracle.database.jdbc:ojdbc11)");
            case "sqlserver" -> drop("mssql-jdbc-<version>.jar (com.microsoft.sqlserver:mssql-jdbc)");
            default -> drop("the jar of that database's JDBC driver");
        };
    }

    private static String drop(String jar) {
        return "drop " + jar + " in the deploy/ folder";
    }
}
