package io.sluice.connector.jdbc.sink.write;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection of a task: opened when it is needed, dropped when it fails, with the statements prepared on it. Used by the task's
 * thread, but for {@link #cancel} and {@link #abort}.
 */
final class Session {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final int PREPARED = 64;
    private static final int VALIDITY_SECONDS = 2;
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private final Opening opening;
    private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>(16, 0.75f, true);
    private volatile Connection connection;
    private volatile Statement running;

    /** Opens connections and knows the complaints of their database. */
    interface Opening {

        /** A new connection, not in auto-commit mode. */
        Connection open() throws SQLException;

        Failure failure(SQLException e);
    }

    Session(Opening opening) {
        this.opening = Objects.requireNonNull(opening, "opening");
    }

    Connection connection() throws SQLException {
        if (connection == null) {
            connection = opening.open();
        }
        return connection;
    }

    /** The statement for {@code sql}, prepared once and kept with the connection. */
    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection().prepareStatement(sql);
            prepared.put(sql, statement);
            if (prepared.size() > PREPARED) {
                prepared.remove(prepared.keySet().iterator().next()).close();
            }
        }
        return statement;
    }

    /** Has statements prepared anew: some databases, Derby for one, cannot use them again when a savepoint took back what they did. */
    void forgetPrepared() throws SQLException {
        for (PreparedStatement statement : prepared.values()) {
            statement.close();
        }
        prepared.clear();
    }

    /** Executes something on a statement in such a way that {@link #cancel} can end it. */
    <T> T run(PreparedStatement statement, Execution<T> execution) throws SQLException {
        running = statement;
        try {
            return execution.run();
        } catch (SQLException e) {
            statement.clearBatch();
            throw e;
        } finally {
            running = null;
        }
    }

    /** Something done with a statement. */
    interface Execution<T> {
        T run() throws SQLException;
    }

    /** What a complaint means; a connection that does not answer any more is lost, whatever the complaint says. */
    Failure failure(SQLException e) {
        Failure failure = opening.failure(e);
        if (failure == Failure.LASTING && connection != null && !isValid()) {
            return Failure.CONNECTION;
        }
        return failure;
    }

    /** Closes the connection, if there is one; within a bound, and whatever state it is in. */
    void drop() {
        Connection dropped = connection;
        connection = null;
        prepared.clear();
        if (dropped != null) {
            onThread("sluice-jdbc-close", dropped::close);
        }
    }

    /** Asks the database to end the statement that is executed at present. Any thread. */
    void cancel() {
        Statement statement = running;
        if (statement != null) {
            onThread("sluice-jdbc-cancel", statement::cancel);
        }
    }

    /** Cuts the connection while it is in use. Any thread. */
    void abort() {
        Connection cut = connection;
        if (cut != null) {
            onThread("sluice-jdbc-abort", () -> cut.abort(Runnable::run));
        }
    }

    private interface Action {
        void run() throws SQLException;
    }

    /** A driver may wait for a server that does not answer; whoever calls must not. */
    private static void onThread(String name, Action action) {
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (SQLException e) {
                LOG.debug("{}: {}", name, e.toString());
            }
        }, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((unused, e) -> LOG.warn("{} ended with an error", name, e));
        thread.start();
        try {
            thread.join(CLOSING.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isValid() {
        try {
            return connection.isValid(VALIDITY_SECONDS);
        } catch (SQLException e) {
            LOG.debug("a connection could not be checked", e);
            return false;
        }
    }
}
