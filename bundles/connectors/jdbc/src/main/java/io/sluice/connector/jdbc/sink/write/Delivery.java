package io.sluice.connector.jdbc.sink.write;

import io.openmessaging.connector.api.component.task.sink.SinkTaskContext;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.connector.jdbc.sink.SinkOptions;
import io.sluice.connector.jdbc.sink.offset.QueueOffsets;
import io.sluice.connector.jdbc.sink.row.Shapes;
import io.sluice.spi.PluginMetrics;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of one sink task: one connection, puts that are tried again while the database is away, and, for exactly-once delivery, the
 * queues that the task has taken over in the database.
 *
 * <p>One thread calls all methods but {@link #close}, which any thread may call.
 */
public final class Delivery implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    /** How long a put that is under way may take to end once it was told to. */
    private static final Duration LEAVING = Duration.ofSeconds(3);

    private final SinkTaskContext context;
    private final SinkOptions options;
    private final JdbcTarget target;
    private final Session session;
    private final Shapes shapes;
    private final Reports reports;
    private final ReentrantLock inUse = new ReentrantLock();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Optional<Ownership> ownership;
    private Kit kit;
    private SinkWriter writer;

    public Delivery(SinkTaskContext context, SinkOptions options, JdbcTarget target) {
        this.context = Objects.requireNonNull(context, "context");
        this.options = Objects.requireNonNull(options, "options");
        this.target = Objects.requireNonNull(target, "target");
        this.session = new Session(target);
        this.shapes = new Shapes(options);
        this.reports = new Reports(Optional.ofNullable(context.errorRecordReporter()));
        this.ownership = options.exactlyOnce() ? Optional.of(new Ownership(context, System::nanoTime)) : Optional.empty();
    }

    /** Takes queues over, if offsets are kept in the database. If it is away, that is done with the first record. */
    public void opened(Collection<RecordPartition> partitions) {
        if (ownership.isEmpty()) {
            return;
        }
        inUse.lock();
        try {
            prepare();
            ownership.get().opened(session.connection(), kit.offsets().orElseThrow(), partitions);
        } catch (SQLException e) {
            failed(e);
            LOG.warn("connector '{}': cannot read the stored offsets of {} queues from {} yet: {}; trying again with the first record",
                context.getConnectorName(), partitions.size(), target.name(), e.getMessage());
        } finally {
            inUse.unlock();
        }
    }

    public void closed(Collection<RecordPartition> partitions) {
        inUse.lock();
        try {
            ownership.ifPresent(owned -> owned.closed(kit == null ? Optional.empty() : kit.offsets(), partitions));
        } finally {
            inUse.unlock();
        }
    }

    /** Writes records, and tries again within bounds while the database cannot be reached. */
    public void put(List<ConnectRecord> records) {
        if (records.isEmpty()) {
            return;
        }
        inUse.lock();
        try {
            for (int attempt = 0; ; attempt++) {
                if (closing.getCount() == 0) {
                    throw new RetriableException("the task is stopped; the batch was not written");
                }
                try {
                    deliver(records);
                    return;
                } catch (SQLException e) {
                    pauseOrThrow(e, attempt);
                }
            }
        } finally {
            inUse.unlock();
        }
    }

    private void deliver(List<ConnectRecord> records) throws SQLException {
        prepare();
        List<ConnectRecord> due = records;
        if (ownership.isPresent()) {
            due = ownership.get().due(session.connection(), kit.offsets().orElseThrow(), records);
        }
        SinkWriter.Outcome outcome = write(due);
        ownership.ifPresent(Ownership::delivered);
        if (context instanceof PluginMetrics metrics) {
            metrics.count("rows.written", outcome.written());
            if (outcome.reported() > 0) {
                metrics.count("rows.refused", outcome.reported());
            }
        }
    }

    /** Writes records but those of queues that turn out to be another task's now. */
    private SinkWriter.Outcome write(List<ConnectRecord> records) throws SQLException {
        List<ConnectRecord> due = records;
        while (true) {
            try {
                return writer.write(due);
            } catch (QueueOffsets.Lost e) {
                due = ownership.orElseThrow().without(e, due);
            }
        }
    }

    private void prepare() throws SQLException {
        session.connection();
        if (kit == null) {
            kit = target.kit(session.connection());
            writer = new SinkWriter(session, kit, shapes, reports, options.batchSize());
        }
    }

    /** @return whether the failure may pass */
    private boolean failed(SQLException e) {
        Failure failure = session.failure(e);
        if (failure == Failure.CONNECTION || failure == Failure.PASSING) {
            session.drop();
            return true;
        }
        return false;
    }

    private void pauseOrThrow(SQLException e, int attempt) {
        String what = "connector '" + context.getConnectorName() + "': cannot write to " + target.name() + " (" + e.getMessage()
            + (e.getSQLState() == null ? "" : ", SQL state " + e.getSQLState()) + ")";
        if (!failed(e)) {
            session.drop();
            throw new ConnectException(what, e);
        }
        if (attempt >= options.maxRetries() || closing.getCount() == 0) {
            throw new RetriableException(what + " after " + (attempt + 1) + " attempts", e);
        }
        LOG.warn("{}; trying again in {} ms", what, options.backoff().toMillis());
        try {
            closing.await(options.backoff().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RetriableException("interrupted while waiting for " + target.name(), e);
        }
    }

    /** Ends a put that is under way, and closes the connection; returns within a few seconds whatever the database does. */
    @Override
    public void close() {
        closing.countDown();
        target.close();
        boolean free = false;
        try {
            free = inUse.tryLock();
            if (!free) {
                session.cancel();
                free = inUse.tryLock(LEAVING.toMillis(), TimeUnit.MILLISECONDS);
            }
            if (!free) {
                LOG.warn("connector '{}': a statement on {} did not end within {} ms of being cancelled; its connection is cut", context.getConnectorName(),
                    target.name(), LEAVING.toMillis());
                session.abort();
                free = inUse.tryLock(LEAVING.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            session.abort();
        } finally {
            if (free) {
                session.drop();
                inUse.unlock();
            }
        }
    }
}
