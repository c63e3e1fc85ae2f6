package io.sluice.connector.jdbc.sink.write;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.connector.jdbc.sink.offset.Place;
import io.sluice.connector.jdbc.sink.offset.QueueOffsets;
import io.sluice.connector.jdbc.sink.row.Shape;
import io.sluice.connector.jdbc.sink.row.Shapes;
import io.sluice.connector.jdbc.sink.write.RowWriter.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the records of one put in one transaction: all of them, but those that are reported for what they hold. Used by one thread.
 */
final class SinkWriter {

    private static final Logger LOG = LoggerFactory.getLogger(SinkWriter.class);

    private final Session session;
    private final Kit kit;
    private final Shapes shapes;
    private final Reports reports;
    private final RowWriter rowWriter;

    SinkWriter(Session session, Kit kit, Shapes shapes, Reports reports, int batchSize) {
        this.session = session;
        this.kit = kit;
        this.shapes = shapes;
        this.reports = reports;
        this.rowWriter = new RowWriter(session, batchSize);
    }

    /** What was done. @param written rows written or deleted @param reported records handed to the runtime */
    record Outcome(int written, int reported) {
    }

    /**
     * Writes records; after an exception nothing of them is written, but that it is not known whether a commit took effect when the
     * connection was lost in it.
     *
     * @throws ConnectException if a record cannot be written and the connector does not tolerate that, or nothing can be written at all
     */
    Outcome write(List<ConnectRecord> records) throws SQLException {
        Way way = Way.FAST;
        for (boolean anew = false; ; ) {
            try {
                Outcome outcome = attempt(records, way);
                kit.offsets().ifPresent(QueueOffsets::committed);
                reports.forget();
                return outcome;
            } catch (QueueOffsets.Moved e) {
                LOG.debug("the stored offsets are others than expected; looking at the records again");
            } catch (SQLException e) {
                kit.offsets().ifPresent(QueueOffsets::unclear);
                Failure failure = session.failure(e);
                if (failure == Failure.RECORD && way != Way.CHECKED) {
                    rollback(e);
                    way = way == Way.FAST ? Way.SLOW : Way.CHECKED;
                    // The row may be right, and what is known of its table out of date.
                    kit.plans().forget();
                } else if (failure == Failure.LASTING && !anew) {
                    // A table that was dropped, made again or altered: databases and drivers have many ways to say that a statement was prepared for
                    // another one. So all is looked at and prepared again, once.
                    LOG.debug("trying again on a new connection", e);
                    anew = true;
                    session.drop();
                    kit.plans().forget();
                } else {
                    if (failure != Failure.CONNECTION) {
                        rollback(e);
                    }
                    throw e;
                }
            } catch (ConnectException e) {
                rollback(e);
                throw e;
            }
        }
    }

    private void rollback(Exception cause) {
        try {
            session.connection().rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
            session.drop();
        }
    }

    /** How rows are written: in batches; so that bad ones are found; and also those that are only found at a commit otherwise. */
    private enum Way { FAST, SLOW, CHECKED }

    private Outcome attempt(List<ConnectRecord> records, Way way) throws SQLException, QueueOffsets.Moved {
        Connection connection = session.connection();
        Optional<QueueOffsets> offsets = kit.offsets();
        if (offsets.isPresent()) {
            offsets.get().clearUp(connection);
        }
        List<ConnectRecord> fresh = offsets.isPresent() ? fresh(records, offsets.get()) : records;
        List<RecordProblem> problems = new ArrayList<>();
        List<Row> rows = rows(connection, fresh, problems);
        if (!problems.isEmpty() && kit.plans().areOld()) {
            // They may have a place in the table as it is now.
            kit.plans().forget();
            problems.clear();
            rows = rows(connection, fresh, problems);
        }
        // What was read to make plans may hold locks.
        connection.commit();
        Map<Place, Long> ends = offsets.isPresent() ? ends(fresh) : Map.of();
        begin(connection, ends, way);
        if (way == Way.FAST) {
            rowWriter.writeAll(rows);
        } else {
            for (Refusal refusal : rowWriter.writeGood(rows, () -> restart(connection, ends))) {
                Row row = refusal.row();
                problems.add(RecordProblem.ofDatabase(row.record(), row.plan().table().sql(), Blame.column(row, refusal.cause().getMessage()), refusal.cause()));
            }
        }
        reports.report(inOrder(problems, fresh));
        connection.commit();
        return new Outcome(fresh.size() - problems.size(), problems.size());
    }

    private void begin(Connection connection, Map<Place, Long> ends, Way way) throws SQLException, QueueOffsets.Moved {
        if (!ends.isEmpty()) {
            kit.offsets().orElseThrow().advance(connection, ends);
        }
        if (way == Way.CHECKED) {
            for (String sql : kit.dialect().immediateConstraints()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                }
            }
        }
    }

    private void restart(Connection connection, Map<Place, Long> ends) throws SQLException {
        connection.rollback();
        try {
            begin(connection, ends, Way.SLOW);
        } catch (QueueOffsets.Moved e) {
            throw new ConnectException("the stored offsets have moved while a batch was written; another task has taken a queue over", e);
        }
    }

    private static List<ConnectRecord> fresh(List<ConnectRecord> records, QueueOffsets offsets) {
        return records.stream().filter(record -> Place.offset(record) >= offsets.next(Place.of(record)).orElse(0)).toList();
    }

    private static Map<Place, Long> ends(List<ConnectRecord> records) {
        Map<Place, Long> ends = new HashMap<>();
        records.forEach(record -> ends.merge(Place.of(record), Place.offset(record) + 1, Math::max));
        return ends;
    }

    private List<Row> rows(Connection connection, List<ConnectRecord> records, List<RecordProblem> problems) throws SQLException {
        List<Row> rows = new ArrayList<>(records.size());
        for (ConnectRecord record : records) {
            Shape shape;
            try {
                shape = shapes.of(record);
            } catch (DataProblem e) {
                problems.add(RecordProblem.ofRecord(record, e));
                continue;
            }
            try {
                rows.add(kit.plans().of(connection, shape).row(record));
            } catch (DataProblem e) {
                problems.add(RecordProblem.ofTable(record, shape.table(), e));
            } catch (RecordProblem e) {
                problems.add(e);
            }
        }
        return rows;
    }

    private static List<RecordProblem> inOrder(List<RecordProblem> problems, List<ConnectRecord> records) {
        if (problems.size() < 2) {
            return problems;
        }
        Map<ConnectRecord, Integer> places = new IdentityHashMap<>();
        for (int i = 0; i < records.size(); i++) {
            places.put(records.get(i), i);
        }
        return problems.stream().sorted(Comparator.comparing(problem -> places.get(problem.record()))).toList();
    }
}
