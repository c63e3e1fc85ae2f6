package io.sluice.connector.jdbc.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An empty database of one test's own. */
public record TestDatabase(String url, String user, String password) {

    /** A plain connection, as any other program would open it. */
    public Connection connect() throws SQLException {
        return user.isEmpty() ? DriverManager.getConnection(url) : DriverManager.getConnection(url, user, password);
    }

    /** Runs the statements one by one, over one connection. */
    public void execute(String... statements) throws SQLException {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** The rows of a query, values as the driver gives them. */
    public List<List<Object>> query(String sql) throws SQLException {
        try (Connection connection = connect(); Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
            List<List<Object>> rows = new ArrayList<>();
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(result.getObject(i));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    /** The {@code connection.*} keys of a connector that uses this database; may be added to. */
    public Map<String, String> config() {
        Map<String, String> config = new LinkedHashMap<>();
        config.put("connection.url", url);
        if (!user.isEmpty()) {
            config.put("connection.user", user);
            config.put("connection.password", password);
        }
        return config;
    }

    /** The port of the server; only where there is one. */
    public int port() {
        return Integer.parseInt(url.replaceFirst(".*//[^:/]*:(\\d+)/.*", "$1"));
    }

    /** The same database by way of another port. PostgreSQL's driver is told to send statements as text each time, so that the proxy can read them. */
    public TestDatabase behind(CuttingProxy proxy) {
        String through = url.replaceFirst(":" + port() + "/", ":" + proxy.port() + "/");
        return new TestDatabase(through.startsWith("jdbc:postgresql:") ? through + (through.contains("?") ? "&" : "?") + "prepareThreshold=0" : through, user, password);
    }
}
