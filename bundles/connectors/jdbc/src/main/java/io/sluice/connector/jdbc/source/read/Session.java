package io.sluice.connector.jdbc.source.read;

import io.sluice.connector.jdbc.db.ConnectionSettings;
import io.sluice.connector.jdbc.db.Database;
import io.sluice.connector.jdbc.db.JdbcUrl;
import io.sluice.connector.jdbc.db.Vendor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection prepared for reading large results in bounded memory. One thread uses it; {@link #cancel} and {@link #abort} may be called by
 * another one.
 */
public final class Session implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private final Connection connection;
    private final Database database;
    private final String owner;
    private volatile Statement running;
    private volatile boolean cancelled;

    /**
     * Takes the connection over.
     *
     * @param owner begins log lines
     * @param quoted whether identifiers are quoted
     */
    public Session(Connection connection, String owner, boolean quoted) throws SQLException {
        this.connection = connection;
        this.owner = owner;
        try {
            Database its = Database.of(connection);
            this.database = quoted ? its : new Database(its.vendor(), its.product(), its.major(), its.minor(), "", its.unquoted(), its.catalogSeparator());
            setUp();
        } catch (SQLException e) {
            close();
            throw e;
        }
    }

    /** What the drivers need so that results are streamed, exact, and the same whether a statement runs for the first or the hundredth time. */
    public static ConnectionSettings withDriverDefaults(ConnectionSettings settings) {
        return switch (JdbcUrl.subprotocol(settings.url())) {
            // A statement prepared on the server outlives a change of its table badly, and sends some types in another form.
            case "postgresql" -> settings.withDefault("prepareThreshold", "0");
            // Only a prepared statement sends a FLOAT whole. A TINYINT(1) holds more than a boolean, a YEAR is no date.
            case "mariadb" -> settings.withDefault("useServerPrepStmts", "true").withDefault("tinyInt1isBit", "false").withDefault("yearIsDateType", "false");
            case "mysql" -> settings.withDefault("useServerPrepStmts", "true").withDefault("tinyInt1isBit", "false").withDefault("yearIsDateType", "false")
                .withDefault("useCursorFetch", "true");
            default -> settings;
        };
    }

    private void setUp() throws SQLException {
        switch (database.vendor()) {
            case POSTGRESQL -> execute("set intervalstyle = 'iso_8601'");
            case MYSQL -> execute("set time_zone = '+00:00'");
            default -> { }
        }
        // PostgreSQL streams only within a transaction, and Derby's cursors end with one. SQLite's readers hold up its writers while they have one.
        if (database.vendor() != Vendor.MYSQL && database.vendor() != Vendor.SQLITE) {
            connection.setAutoCommit(false);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public Connection connection() {
        return connection;
    }

    public Database database() {
        return database;
    }

    /** A statement for a forward-only result, so many rows of which are fetched at a time. */
    PreparedStatement prepare(String sql, int fetchSize) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        statement.setFetchSize(fetchSize);
        return statement;
    }

    /** Runs the query; from now on {@link #cancel} ends it. */
    ResultSet run(PreparedStatement statement) throws SQLException {
        running = statement;
        if (cancelled) {
            throw new SQLException("cancelled before it began", "57014");
        }
        return statement.executeQuery();
    }

    /** Nothing is being read any more: ends the transaction, so that nothing is held on the server. */
    void finish() throws SQLException {
        running = null;
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
    }

    /** After a statement that failed: the transaction, if there is one, is of no use any more. */
    void recover() throws SQLException {
        running = null;
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }

    /** Ends what is running on the server, and keeps anything else from beginning. May take as long as opening a connection does. Any thread. */
    public void cancel() {
        cancelled = true;
        Statement statement = running;
        if (statement != null) {
            try {
                statement.cancel();
            } catch (SQLException e) {
                LOG.debug("{}: a statement cannot be cancelled: {}", owner, e.toString());
            }
        }
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Cuts the connection, whatever it is doing. Any thread. */
    public void abort() {
        cancelled = true;
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("{}: the connection cannot be cut: {}", owner, e.toString());
        }
    }

    /** What is still to be read of a result is not wanted: MySQL's drivers would read all of it before they close. Only {@link #close} may follow. */
    public void leaveUnread() {
        if (database.vendor() == Vendor.MYSQL) {
            abort();
        }
    }

    @Override
    public void close() {
        running = null;
        try {
            if (!connection.isClosed()) {
                if (!connection.getAutoCommit()) {
                    // Derby refuses to close in the middle of a transaction.
                    connection.rollback();
                }
            }
        } catch (SQLException e) {
            LOG.debug("{}: a connection that is given up: {}", owner, e.toString());
        }
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("{}: a connection that is given up: {}", owner, e.toString());
        }
    }
}
