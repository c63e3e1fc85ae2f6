package io.sluice.connector.jdbc.sink.write;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.db.ConnectionSettings;
import io.sluice.connector.jdbc.db.Connections;
import io.sluice.connector.jdbc.db.Database;
import io.sluice.connector.jdbc.db.JdbcUrl;
import io.sluice.connector.jdbc.sink.SinkOptions;
import io.sluice.connector.jdbc.sink.bind.Rules;
import io.sluice.connector.jdbc.sink.bind.Temporal;
import io.sluice.connector.jdbc.sink.dialect.Dialect;
import io.sluice.connector.jdbc.sink.dialect.Dialects;
import io.sluice.connector.jdbc.sink.offset.QueueOffsets;
import io.sluice.connector.jdbc.sink.table.TableReader;
import io.sluice.connector.jdbc.sink.table.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The database that a task writes to: opens connections and makes what is needed on them. Used by the task's thread, but for {@link #close}. */
public final class JdbcTarget implements Session.Opening, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcTarget.class);

    private final SinkOptions options;
    private final String connector;
    private final Connections connections;
    private TableReader reader;
    private Dialect dialect;

    /**
     * @param connector the connector's name, under which offsets are stored
     * @param task the task's name, for messages
     */
    public JdbcTarget(SinkOptions options, ConnectionSettings settings, String connector, String task) {
        this.options = options;
        this.connector = connector;
        this.connections = new Connections(forBatches(settings), "task " + task);
    }

    /** Drivers that can send a batch as one statement are told to, unless the configuration says otherwise. */
    private static ConnectionSettings forBatches(ConnectionSettings settings) {
        return switch (JdbcUrl.subprotocol(settings.url())) {
            case "postgresql" -> settings.withDefault("reWriteBatchedInserts", "true");
            case "mysql" -> settings.withDefault("rewriteBatchedStatements", "true");
            case "mariadb" -> settings.withDefault("useBulkStmts", "true");
            default -> settings;
        };
    }

    /** The database as messages name it. */
    String name() {
        return JdbcUrl.masked(connections.settings().url());
    }

    @Override
    public Connection open() throws SQLException {
        Connection connection = connect();
        boolean fit = false;
        try {
            if (dialect == null) {
                Database database = Database.of(connection);
                reader = new TableReader(database, options.quoteNames(), options.tableTypes());
                dialect = Dialects.of(database.vendor(), reader::column, new Rules(new Temporal(options.zone()), options.nestedAsJson()));
                LOG.info("connector '{}': writes to {} at {}", connector, database.product(), name());
            }
            connection.setAutoCommit(false);
            for (String sql : dialect.sessionSetup()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                }
            }
            connection.commit();
            fit = true;
            return connection;
        } finally {
            if (!fit) {
                connection.close();
            }
        }
    }

    private Connection connect() throws SQLException {
        try {
            return connections.openOnce();
        } catch (InterruptedException e) {
            if (!Thread.interrupted()) {
                throw new SQLTransientConnectionException(e.getMessage(), "08001", e);
            }
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while connecting", "08001", e);
        }
    }

    @Override
    public Failure failure(SQLException e) {
        return Failure.of(e);
    }

    /** What belongs to the database behind an open connection. */
    Kit kit(Connection connection) throws SQLException {
        Plans plans = new Plans(options, dialect, new Tables(options, dialect, reader));
        if (!options.exactlyOnce()) {
            return new Kit(dialect, plans, Optional.empty());
        }
        if (!connection.getMetaData().supportsTransactions()) {
            throw new ConnectException("delivery=exactly-once needs transactions, which " + name() + " does not have; set delivery=at-least-once");
        }
        return new Kit(dialect, plans, Optional.of(QueueOffsets.in(connection, options.offsetsTable(), connector, dialect, reader)));
    }

    /** Ends an attempt to connect that is under way. Any thread. */
    @Override
    public void close() {
        connections.close();
    }
}
