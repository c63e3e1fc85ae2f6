package io.sluice.connector.jdbc.source;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.source.SourceTask;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.connector.jdbc.db.Connections;
import io.sluice.connector.jdbc.db.Database;
import io.sluice.connector.jdbc.db.SqlErrors;
import io.sluice.connector.jdbc.source.read.Batch;
import io.sluice.connector.jdbc.source.read.Mode;
import io.sluice.connector.jdbc.source.read.Session;
import io.sluice.connector.jdbc.source.read.TableReader;
import io.sluice.connector.jdbc.source.read.Unit;
import io.sluice.spi.config.Config;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads its tables one after the other over one connection, each as far as it has new rows, and waits when none has. */
public class JdbcSourceTask extends SourceTask {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcSourceTask.class);
    /** Longest wait within a poll, so that the worker can pause or stop the task. */
    private static final long LONGEST_WAIT_MS = 500;
    /** How long a statement may take to let go of its thread after it was cancelled. */
    private static final long CANCEL_MS = 2_000;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final PollState state = new PollState();
    private String owner;
    private SourceSettings settings;
    private List<String> names = List.of();
    private Connections connections;
    private volatile Session session;
    private List<TableReader> readers;
    private int turn;
    private int failures;
    /** What ended a read that had handed rows on before. */
    private ConnectException failure;

    @Override
    public void validate(KeyValue values) {
        SourceSettings.of(Config.toMap(values));
    }

    @Override
    public void start(KeyValue values) {
        Map<String, String> config = Config.toMap(values);
        settings = SourceSettings.of(config);
        names = config.getOrDefault(JdbcSourceConnector.TABLES, "").lines().filter(name -> !name.isBlank()).toList();
        owner = "task " + sourceTaskContext.getTaskName();
        connections = new Connections(settings.connection(), owner);
    }

    @Override
    public List<ConnectRecord> poll() throws InterruptedException {
        if (!state.enter()) {
            return null;
        }
        try {
            return read();
        } catch (InterruptedException e) {
            if (stopped.getCount() == 0) {
                return null;
            }
            throw e;
        } finally {
            if (!state.leave()) {
                closeSession();
            }
        }
    }

    private List<ConnectRecord> read() throws InterruptedException {
        if (failure != null) {
            ConnectException told = failure;
            failure = null;
            throw told;
        }
        Batch batch = new Batch(settings.read().batchMaxRows(), settings.read().batchMaxBytes());
        try {
            Session open = session();
            for (TableReader reader = due(); reader != null && batch.isEmpty(); reader = due()) {
                reader.read(open, batch);
                if (reader.isReading()) {
                    break;
                }
                turn++;
                failures = 0;
            }
        } catch (SQLException e) {
            ConnectException told = stopped.getCount() == 0 ? null : tell(e);
            closeSession();
            return orThrow(batch, told);
        } catch (ConnectException e) {
            closeSession();
            return orThrow(batch, e);
        }
        if (!batch.isEmpty() && settings.read().mode() != Mode.BULK) {
            // Rows that need not be read again; a copy in bulk begins anew with each failure.
            failures = 0;
        }
        if (batch.isEmpty()) {
            stopped.await(Math.max(1, Math.min(LONGEST_WAIT_MS, untilDue())), TimeUnit.MILLISECONDS);
            return null;
        }
        return batch.records();
    }

    /** What was read goes first; what ended the reading is told at the next poll. */
    private List<ConnectRecord> orThrow(Batch batch, ConnectException told) {
        if (told != null && batch.isEmpty()) {
            throw told;
        }
        failure = told instanceof RetriableException ? null : told;
        return batch.isEmpty() ? null : batch.records();
    }

    private ConnectException tell(SQLException e) {
        String what = "cannot read from " + settings.connection() + ": " + SqlErrors.text(e);
        if (!SqlErrors.isRetriable(e)) {
            return new ConnectException(what, e);
        }
        failures++;
        if (settings.maxRetries() >= 0 && failures > settings.maxRetries()) {
            return new ConnectException(what + "; given up after " + failures + " failures in a row ('max.retries' is " + settings.maxRetries() + ")", e);
        }
        LOG.warn("{}: {}; failure {} in a row, trying again", owner, what, failures);
        return new RetriableException(what, e);
    }

    private Session session() throws SQLException, InterruptedException {
        if (session == null) {
            Session open = new Session(connections.open(), owner, settings.quoted());
            session = open;
            if (readers == null) {
                readers = readers(open.database());
            }
        }
        return session;
    }

    private List<TableReader> readers(Database database) {
        List<Unit> units = settings.query().map(query -> List.of(Unit.ofQuery(query)))
            .orElseGet(() -> names.stream().map(database::tableName).map(Unit::of).toList());
        List<TableReader> all = new ArrayList<>();
        for (Unit unit : units) {
            RecordOffset stored = sourceTaskContext.offsetStorageReader().readOffset(new RecordPartition(unit.partition()));
            all.add(new TableReader(unit, settings.topic(unit), settings.read(), stored == null ? null : stored.getOffset()));
        }
        return all;
    }

    /** The reader in the middle of a scan, else the next one in turn whose time has come; null if there is none. */
    private TableReader due() {
        for (int i = 0; i < readers.size(); i++) {
            TableReader reader = readers.get((turn + i) % readers.size());
            if (reader.isReading() || reader.due() - System.nanoTime() <= 0) {
                turn = (turn + i) % readers.size();
                return reader;
            }
        }
        return null;
    }

    private long untilDue() {
        long now = System.nanoTime();
        return readers.stream().mapToLong(reader -> (reader.due() - now) / 1_000_000).min().orElse(LONGEST_WAIT_MS);
    }

    private void closeSession() {
        Session open = session;
        session = null;
        if (open != null) {
            if (readers != null && readers.stream().anyMatch(TableReader::isReading)) {
                open.leaveUnread();
                readers.stream().filter(TableReader::isReading).forEach(TableReader::abandon);
            }
            open.close();
        }
    }

    @Override
    public void stop() {
        stopped.countDown();
        if (connections != null) {
            connections.close();
        }
        if (state.end()) {
            closeSession();
            return;
        }
        Session open = session;
        if (open != null) {
            open.cancel();
            if (!state.awaitIdle(CANCEL_MS)) {
                open.abort();
            }
        }
    }
}
