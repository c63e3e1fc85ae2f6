package io.sluice.connector.jdbc.db;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Map;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections and judges what databases throw. */
public final class Connections {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final String PROPERTY = "connection.property.";

    private Connections() {
    }

    /**
     * Opens a connection.
     *
     * @param config a connector's configuration: {@code connection.url}, {@code connection.user}, {@code connection.password}, and
     *     {@code connection.property.*} for the driver
     */
    public static Connection open(Map<String, String> config) throws SQLException {
        String url = config.get("connection.url");
        Properties properties = new Properties();
        put(properties, "user", config.get("connection.user"));
        put(properties, "password", config.get("connection.password"));
        config.forEach((key, value) -> {
            if (key.startsWith(PROPERTY)) {
                properties.setProperty(key.substring(PROPERTY.length()), value);
            }
        });
        Driver driver = Drivers.find(url);
        Connection connection = driver.connect(url, properties);
        if (connection == null) {
            throw new SQLException("the driver " + driver.getClass().getName() + " does not take the URL", "08001");
        }
        return connection;
    }

    private static void put(Properties properties, String key, String value) {
        if (value != null && !value.isEmpty()) {
            properties.setProperty(key, value);
        }
    }

    /** True if the same statement may succeed later or on another connection: the connection is lost, or a deadlock chose this one. */
    public static boolean isRetriable(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientException || cause instanceof SQLRecoverableException
                || cause instanceof SQLNonTransientConnectionException || cause instanceof java.io.IOException) {
                return true;
            }
            if (cause instanceof SQLException sql && sql.getSQLState() != null && isRetriable(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    /** Classes of SQL states: connection exceptions, transaction rollbacks, and PostgreSQL's and H2's ways of saying that they shut down. */
    private static boolean isRetriable(String state) {
        return state.startsWith("08") || state.startsWith("40") || state.startsWith("57P") || state.startsWith("53") || state.equals("90067")
            || state.equals("90098") || state.equals("90121");
    }

    /** Closes quietly what may be broken already. */
    public static void close(AutoCloseable closeable) {
        if (closeable != null) {
            try {
                closeable.close();
            } catch (Exception e) {
                LOG.debug("a connection that is given up could not be closed: {}", e.toString());
            }
        }
    }

    /** What a failure says, with its SQL state. */
    public static String text(SQLException failure) {
        return failure.getMessage() + (failure.getSQLState() == null ? "" : " (SQL state " + failure.getSQLState() + ")");
    }
}
