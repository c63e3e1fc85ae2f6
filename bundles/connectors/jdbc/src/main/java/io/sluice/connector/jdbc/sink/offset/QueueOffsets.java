package io.sluice.connector.jdbc.sink.offset;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.sink.dialect.Dialect;
import io.sluice.connector.jdbc.sink.offset.OffsetRows.Stored;
import io.sluice.connector.jdbc.sink.table.NewColumn;
import io.sluice.connector.jdbc.sink.table.Table;
import io.sluice.connector.jdbc.sink.table.TableReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Where a task stands in its queues, as the target database says: the offsets move in the same transaction as the rows, so that each record
 * is written once, whatever fails in between.
 *
 * <p>Taking a queue over raises its generation. A former owner that still believes in it finds its own generation gone and writes nothing
 * more: it checks under a lock on the row that it holds up to its commit. Used by one thread.
 */
public final class QueueOffsets {

    private static final int CLAIM_ATTEMPTS = 3;

    private final OffsetRows rows;
    private final Map<Place, Stored> owned = new HashMap<>();
    /** Moves within the transaction under way. */
    private final Map<Place, Stored> moving = new HashMap<>();
    private final Set<Place> doubtful = new HashSet<>();

    private QueueOffsets(OffsetRows rows) {
        this.rows = Objects.requireNonNull(rows, "rows");
    }

    /**
     * Finds the table, and makes it if there is none.
     *
     * @param table its name as configured
     * @param connector under whose name the offsets are kept
     */
    public static QueueOffsets in(Connection connection, String table, String connector, Dialect dialect, TableReader reader) throws SQLException {
        Optional<Table> found = reader.find(connection, table);
        if (found.isEmpty()) {
            String sql = dialect.createTable(reader.newTable(table), OffsetRows.columns());
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
                connection.commit();
            } catch (SQLException e) {
                connection.rollback();
                // Another task may have been faster.
                if (reader.find(connection, table).isEmpty()) {
                    throw new SQLException("cannot make the table for offsets by '" + sql + "': " + e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
                }
            }
            found = reader.find(connection, table);
        }
        Table offsets = found.orElseThrow(() -> new ConnectException("offsets.table: the database does not show the table " + table
            + ", although it is there; look at table.types and at the connection's schema"));
        for (NewColumn wanted : OffsetRows.columns()) {
            if (offsets.column(wanted.name()).isEmpty()) {
                throw new ConnectException("offsets.table: the table " + offsets.sql() + " has no column " + wanted.name() + "; name a table of its own for the offsets");
            }
        }
        connection.commit();
        return new QueueOffsets(new OffsetRows(offsets, connector, reader::column));
    }

    /** What is remembered of a queue is not what the database says; it has been read again, and the transaction was rolled back. */
    public static final class Moved extends Exception {

        private static final long serialVersionUID = 1L;
    }

    /** Another task has taken a queue over; the transaction has to be rolled back. */
    public static final class Lost extends ConnectException {

        private static final long serialVersionUID = 1L;

        private final transient Place place;

        private Lost(Place place, long theirs, long mine) {
            super(place + ": another task has taken the queue over (generation " + theirs + ", this task has " + mine + "); nothing was written");
            this.place = place;
        }

        public Place place() {
            return place;
        }
    }

    public boolean owns(Place place) {
        return owned.containsKey(place);
    }

    /** The offset of the first record that is not written yet; empty if none ever was. */
    public OptionalLong next(Place place) {
        Stored stored = owned.get(place);
        return stored == null || stored.next() == OffsetRows.NONE ? OptionalLong.empty() : OptionalLong.of(stored.next());
    }

    /** Takes queues over from whoever had them. A transaction of its own; waits for one of the former owner's that is under way. */
    public void claim(Connection connection, Collection<Place> places) throws SQLException {
        // Always in the same order, so that two tasks cannot wait for each other.
        for (Place place : places.stream().sorted(Place.ORDER).toList()) {
            owned.put(place, claim(connection, place));
        }
        doubtful.removeAll(places);
    }

    private Stored claim(Connection connection, Place place) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                if (!rows.claim(connection, place)) {
                    rows.insert(connection, place);
                    rows.claim(connection, place);
                }
                Stored stored = rows.read(connection, place).orElseThrow(() -> new ConnectException("the stored offset of " + place + " is gone"));
                connection.commit();
                return stored;
            } catch (SQLException e) {
                connection.rollback();
                // Another task may have inserted the row at the same time; then it is there now.
                if (attempt == CLAIM_ATTEMPTS || rows.read(connection, place).isEmpty()) {
                    throw e;
                }
                connection.rollback();
            }
        }
    }

    /** The queues are no longer this task's. */
    public void release(Collection<Place> places) {
        owned.keySet().removeAll(places);
        doubtful.removeAll(places);
    }

    /**
     * Moves offsets as the first part of a transaction.
     *
     * @param ends by queue, the offset behind the last record to be written
     * @throws Moved if the records have to be looked at again
     * @throws Lost if a queue has another owner now
     */
    public void advance(Connection connection, Map<Place, Long> ends) throws SQLException, Moved {
        moving.clear();
        for (Place place : ends.keySet().stream().sorted(Place.ORDER).toList()) {
            Stored stored = owned.get(place);
            if (!rows.advance(connection, place, stored, ends.get(place))) {
                connection.rollback();
                read(connection, List.of(place));
                throw new Moved();
            }
            moving.put(place, new Stored(ends.get(place), stored.generation()));
        }
    }

    /** The transaction under way was committed. */
    public void committed() {
        owned.putAll(moving);
        moving.clear();
    }

    /** Whether the transaction under way was committed is not known. */
    public void unclear() {
        doubtful.addAll(moving.keySet());
        moving.clear();
    }

    /** Clears up what is not known, before a transaction. @throws Lost if a queue has another owner now */
    public void clearUp(Connection connection) throws SQLException {
        moving.clear();
        if (!doubtful.isEmpty()) {
            read(connection, Set.copyOf(doubtful));
        }
    }

    private void read(Connection connection, Collection<Place> places) throws SQLException {
        for (Place place : places) {
            Stored mine = owned.get(place);
            Stored stored = rows.read(connection, place).orElseThrow(() -> new ConnectException("the stored offset of " + place + " is gone"));
            if (stored.generation() != mine.generation()) {
                release(List.of(place));
                throw new Lost(place, stored.generation(), mine.generation());
            }
            owned.put(place, stored);
            doubtful.remove(place);
        }
        connection.rollback();
    }
}
