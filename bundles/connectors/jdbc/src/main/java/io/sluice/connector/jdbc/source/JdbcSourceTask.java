package io.sluice.connector.jdbc.source;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.source.SourceTask;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.connector.jdbc.db.Connections;
import io.sluice.connector.jdbc.db.Database;
import io.sluice.spi.config.Config;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reads its tables one after the other, each as far as it has new rows, and waits when none has. */
public class JdbcSourceTask extends SourceTask {

    private final CountDownLatch stopped = new CountDownLatch(1);
    private Map<String, String> config;
    private SourceConfig settings;
    private List<TableReader> readers;
    private volatile Connection connection;
    private int turn;

    @Override
    public void start(KeyValue values) {
        config = Config.toMap(values);
        settings = Config.of(config, SourceConfig.class);
        readers = new ArrayList<>();
        if (!settings.query().isBlank()) {
            readers.add(TableReader.ofQuery(settings, sourceTaskContext.offsetStorageReader()));
        } else {
            for (String table : config.get(JdbcSourceConnector.TABLES).split("\n")) {
                if (!table.isBlank()) {
                    readers.add(TableReader.ofTable(table, settings, sourceTaskContext.offsetStorageReader()));
                }
            }
        }
    }

    @Override
    public List<ConnectRecord> poll() throws InterruptedException {
        long wait = settings.poll_interval_ms();
        try {
            for (int i = 0; i < readers.size(); i++) {
                TableReader reader = readers.get(turn % readers.size());
                if (reader.isDue()) {
                    List<ConnectRecord> records = reader.read(open());
                    if (!records.isEmpty()) {
                        return records;
                    }
                }
                wait = Math.min(wait, reader.dueInMs());
                turn++;
            }
        } catch (SQLException e) {
            // What was read is in the records already; the rest is read again from the last of them.
            readers.forEach(TableReader::failed);
            Connections.close(connection);
            connection = null;
            throw Connections.isRetriable(e) ? new RetriableException("cannot read: " + Connections.text(e), e)
                : new ConnectException("cannot read: " + Connections.text(e), e);
        }
        stopped.await(Math.max(1, Math.min(wait, 500)), TimeUnit.MILLISECONDS);
        return null;
    }

    private Connection open() throws SQLException {
        Connection present = connection;
        if (present == null) {
            present = Connections.open(config);
            // PostgreSQL streams a result only inside a transaction.
            present.setAutoCommit(false);
            Database database = Database.of(present);
            readers.forEach(reader -> reader.speak(database));
            connection = present;
        }
        return present;
    }

    @Override
    public void stop() {
        stopped.countDown();
        if (readers != null) {
            readers.forEach(TableReader::cancel);
        }
        Connections.close(connection);
    }
}
