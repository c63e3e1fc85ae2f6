package io.sluice.connector.jdbc.source.read;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.db.SqlErrors;
import io.sluice.connector.jdbc.source.column.ColumnInfo;
import io.sluice.connector.jdbc.source.column.Shape;
import io.sluice.connector.jdbc.source.column.Shapes;
import io.sluice.connector.jdbc.source.read.RowCursor.Row;
import io.sluice.connector.jdbc.source.tables.Tables;
import io.sluice.spi.RecordNames;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads one table or query over and over, each time what is new, and knows where it stands. For one thread.
 *
 * <p>A scan is one statement, whose rows are handed on in as many batches as it takes. When it fails, the next one goes on behind the last row
 * that was handed on; rows of a plain timestamp have no order among those of the same time, so that all of that time are read again.
 */
public final class TableReader {

    private static final String BULK_STARTED = "bulk";

    private final Unit unit;
    private final Optional<String> topic;
    private final ReadOptions options;
    private final RecordPartition partition;
    private final ServerClock clock = new ServerClock();
    private Position position;
    /** The offset of rows behind which not everything is done: the last one with that quality. */
    private RecordOffset lastOffset;

    private Shapes shapes;
    private OrderColumns columns;
    private TimeOrder time;
    private List<String> key = List.of();

    private RowCursor cursor;
    private Row pending;
    private long bulkStarted;
    private long due = System.nanoTime();

    /**
     * @param topic where records go; empty for the connector's own topic
     * @param stored the stored offset; null if there is none
     */
    public TableReader(Unit unit, Optional<String> topic, ReadOptions options, Map<String, ?> stored) {
        this.unit = Objects.requireNonNull(unit, "unit");
        this.topic = Objects.requireNonNull(topic, "topic");
        this.options = Objects.requireNonNull(options, "options");
        this.partition = new RecordPartition(unit.partition());
        this.position = options.mode() == Mode.BULK ? Position.START : Position.of(stored, options.mode());
        this.lastOffset = new RecordOffset(options.mode() == Mode.BULK ? bulk(stored == null ? 0 : number(stored.get(BULK_STARTED))) : position.toMap());
        if (options.mode() == Mode.BULK && stored != null) {
            // A restart is no reason to copy everything before it is time.
            long age = System.currentTimeMillis() - number(stored.get(BULK_STARTED));
            long wait = Math.min(options.pollInterval().toMillis(), options.pollInterval().toMillis() - age);
            due = System.nanoTime() + Math.max(0, wait) * 1_000_000;
        }
    }

    private static long number(Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }

    private static Map<String, Object> bulk(long started) {
        return Map.of(BULK_STARTED, started);
    }

    public Unit unit() {
        return unit;
    }

    /** True while a scan is under way. */
    public boolean isReading() {
        return cursor != null;
    }

    /** When to read again, by {@link System#nanoTime()}. */
    public long due() {
        return due;
    }

    /**
     * Goes on with the scan that is under way, or begins one.
     *
     * @throws SQLException if the database refuses; what the batch holds by then stays valid, and the next call, with another session if need be,
     *     goes on behind it
     * @throws ConnectException if a column or value has no counterpart in a record, or the table does not suit the mode
     */
    public void read(Session session, Batch batch) throws SQLException {
        try {
            if (cursor == null) {
                open(session);
            }
            while (!batch.isFull()) {
                Optional<Row> row = cursor.next();
                if (row.isEmpty()) {
                    flush(batch, true);
                    closeCursor();
                    session.finish();
                    return;
                }
                hand(row.get(), batch);
            }
            cursor.fetchAtMost(options.batchMaxBytes());
        } catch (ConnectException e) {
            // The row before the bad one is good.
            flush(batch, false);
            abandon();
            throw e.getMessage().startsWith(unit.toString()) ? e : new ConnectException(unit + ": " + e.getMessage(), e);
        } catch (SQLException e) {
            abandon();
            throw e;
        }
    }

    /** The session is gone, and the scan with it. What was handed on counts; the next scan goes on from there. */
    public void abandon() {
        pending = null;
        due = System.nanoTime();
        try {
            closeCursor();
        } catch (SQLException e) {
            // It went with its connection.
            cursor = null;
        }
    }

    private void closeCursor() throws SQLException {
        RowCursor open = cursor;
        cursor = null;
        if (open != null) {
            open.close();
        }
    }

    private void open(Session session) throws SQLException {
        due = System.nanoTime() + options.pollInterval().toNanos();
        bulkStarted = System.currentTimeMillis();
        if (shapes != null && tryOpen(session, false)) {
            return;
        }
        explore(session);
        tryOpen(session, true);
    }

    /**
     * @param fresh true if what is known of the table is known just now; else the table may have been changed since
     * @return false if it has, and has to be explored
     */
    private boolean tryOpen(Session session, boolean fresh) throws SQLException {
        // First, since it also finds out where a table without a stored offset begins.
        Optional<Instant> bound = bound(session);
        Scan scan = options.mode() == Mode.BULK ? Scan.everything(unit, session.database())
            : Scan.after(position, unit, session.database(), columns, time, bound);
        PreparedStatement statement = null;
        boolean opened = false;
        try {
            statement = session.prepare(scan.sql(), Math.min(RowCursor.FIRST_FETCH, options.batchMaxRows()));
            scan.bind(statement);
            ResultSet result = session.run(statement);
            if (!fresh && !shapes.isLast(result, session.database().vendor())) {
                return false;
            }
            cursor = new RowCursor(statement, result, shapes.of(result, key), columns, time, session.database().vendor());
            opened = true;
            return true;
        } catch (SQLException e) {
            if (fresh || SqlErrors.isRetriable(e) || session.isCancelled()) {
                throw e;
            }
            session.recover();
            return false;
        } finally {
            if (!opened && statement != null) {
                statement.close();
            }
        }
    }

    /** Learns of the columns to put rows in order by, and of the key. */
    private void explore(Session session) throws SQLException {
        shapes = null;
        try (PreparedStatement statement = session.prepare(Scan.probe(unit, session.database()), 1); ResultSet none = session.run(statement)) {
            List<String> primaryKey = unit.table().isPresent() ? PrimaryKey.of(session.connection(), unit.table().get()) : List.of();
            key = switch (options.key()) {
                case NONE -> List.of();
                case PRIMARY_KEY -> primaryKey;
                case COLUMNS -> options.keyColumns();
            };
            columns = options.mode() == Mode.BULK ? OrderColumns.none()
                : OrderColumns.find(unit, session.database(), ColumnInfo.of(none.getMetaData()), primaryKey, options);
        } catch (SQLException e) {
            explain(e, session);
        }
        time = new TimeOrder(session.database(), columns, options.zone());
        if (unit.table().isEmpty() && options.requireNonNull() && options.mode() != Mode.BULK) {
            refuseNulls(session);
        }
        shapes = new Shapes(unit.toString(), unit.schemaName(), session.database().vendor(), options.mapping());
    }

    /** Says so if a failure has the simple reason that the table is gone. */
    private void explain(SQLException e, Session session) throws SQLException {
        if (unit.table().isPresent() && !SqlErrors.isRetriable(e) && !session.isCancelled()) {
            session.recover();
            if (!Tables.exists(session.connection(), unit.table().get())) {
                throw new ConnectException(unit + " is not there: it was dropped or renamed, or the user may not see it any more; "
                    + "take it out of 'table.whitelist' or make it anew (" + SqlErrors.text(e) + ")", e);
            }
        }
        throw e;
    }

    /** What columns of a query may be null is not known beforehand; its present rows are asked. */
    private void refuseNulls(Session session) throws SQLException {
        for (String condition : columns.nullConditions(session.database())) {
            try (PreparedStatement statement = session.prepare(Scan.search(unit, session.database(), condition), 1)) {
                statement.setMaxRows(1);
                try (ResultSet row = session.run(statement)) {
                    if (row.next()) {
                        throw new ConnectException(unit + ": there is a row with '" + condition + "', which would never be read; leave such rows out by a condition in 'query', "
                            + "or set 'validate.non.null' to false");
                    }
                }
            }
        }
    }

    private Optional<Instant> bound(Session session) throws SQLException {
        if (!options.mode().hasTimestamp()) {
            return Optional.empty();
        }
        ServerClock.Now now = clock.now(session);
        if (position.equals(Position.START)) {
            if (options.initial().now()) {
                position = Position.from(time.asStored(now.instant(), now));
            }
            options.initial().time().ifPresent(initial -> position = Position.from(time.asStored(initial, now)));
        }
        return Optional.of(time.bound(now, options.delay()));
    }

    /** Rows whose numbers tell them apart go at once; others wait for the next one, which tells whether their time is complete. */
    private void hand(Row row, Batch batch) {
        if (options.mode().hasIncrementing()) {
            position = row.position();
            lastOffset = new RecordOffset(position.toMap());
            batch.add(record(row), row.bytes());
            return;
        }
        if (pending != null) {
            flush(batch, options.mode() == Mode.TIMESTAMP && !pending.position().equals(row.position()));
        }
        pending = row;
    }

    /** Hands the waiting row on. @param complete true if it was the last of its time, or of all */
    private void flush(Batch batch, boolean complete) {
        Row row = pending;
        pending = null;
        if (row == null) {
            return;
        }
        if (complete) {
            position = row.position();
            lastOffset = new RecordOffset(options.mode() == Mode.BULK ? bulk(bulkStarted) : position.toMap());
        }
        batch.add(record(row), row.bytes());
    }

    private ConnectRecord record(Row row) {
        Shape shape = cursor.shape();
        long timestamp = row.position().timestamp().map(TableReader::millis).orElseGet(System::currentTimeMillis);
        ConnectRecord record = new ConnectRecord(partition, lastOffset, timestamp, shape.keySchema(), shape.keySchema() == null ? null : shape.key(row.values()),
            shape.schema(), shape.value(row.values()));
        topic.ifPresent(name -> record.addExtension(RecordNames.TOPIC_EXTENSION, name));
        return record;
    }

    private static long millis(Instant time) {
        return time.getEpochSecond() * 1_000 + time.getNano() / 1_000_000;
    }
}
