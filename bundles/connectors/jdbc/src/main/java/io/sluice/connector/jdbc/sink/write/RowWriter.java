package io.sluice.connector.jdbc.sink.write;

import io.sluice.connector.jdbc.sink.dialect.Sql;
import io.sluice.connector.jdbc.sink.write.Segments.Segment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;

/** Writes rows within a transaction that others begin and end. */
final class RowWriter {

    private final Session session;
    private final int batchSize;

    RowWriter(Session session, int batchSize) {
        this.session = session;
        this.batchSize = batchSize;
    }

    /** Writes all rows, in batches. After an exception the transaction has to be rolled back. */
    void writeAll(List<Row> rows) throws SQLException {
        for (Segment segment : Segments.of(rows)) {
            for (int from = 0; from < segment.rows().size(); from += batchSize) {
                write(segment.plan(), segment.rows().subList(from, Math.min(segment.rows().size(), from + batchSize)));
            }
        }
    }

    private void write(RowPlan plan, List<Row> rows) throws SQLException {
        if (plan.statements() instanceof Statements.Direct direct) {
            batch(plan, direct.sql(), rows);
        } else if (plan.statements() instanceof Statements.UpdateOrInsert both) {
            for (Row row : rows) {
                if (!met(plan, both, row)) {
                    batch(plan, both.insert(), List.of(row));
                }
            }
        }
    }

    private void batch(RowPlan plan, Sql sql, List<Row> rows) throws SQLException {
        PreparedStatement statement = session.prepare(sql.text());
        session.run(statement, () -> {
            if (rows.size() == 1) {
                plan.bind(statement, sql.slots(), rows.get(0));
                statement.executeUpdate();
                return null;
            }
            for (Row row : rows) {
                plan.bind(statement, sql.slots(), row);
                statement.addBatch();
            }
            return statement.executeBatch();
        });
    }

    private boolean met(RowPlan plan, Statements.UpdateOrInsert both, Row row) throws SQLException {
        PreparedStatement statement = session.prepare(both.first().text());
        return session.run(statement, () -> {
            plan.bind(statement, both.first().slots(), row);
            if (!both.query()) {
                return statement.executeUpdate() > 0;
            }
            try (ResultSet result = statement.executeQuery()) {
                return result.next();
            }
        });
    }

    /** A row that the database has refused. */
    record Refusal(Row row, SQLException cause) {
    }

    /** Rolls back and begins the transaction again. */
    interface Restart {
        void run() throws SQLException;
    }

    /**
     * Writes the rows that the database takes, in order, and finds those that it does not take.
     *
     * @param restart called where the database has no savepoints
     * @return the refused rows with the refusals
     */
    List<Refusal> writeGood(List<Row> rows, Restart restart) throws SQLException {
        List<Refusal> refused = new ArrayList<>();
        Connection connection = session.connection();
        if (connection.getMetaData().supportsSavepoints()) {
            writeRange(connection, rows, refused);
        } else {
            writeSingly(rows, refused, restart);
        }
        return refused;
    }

    /** By halves: one bad row among 500 costs some twenty batches. */
    private void writeRange(Connection connection, List<Row> rows, List<Refusal> refused) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        Savepoint before = connection.setSavepoint();
        try {
            writeAll(rows);
            release(connection, before);
            return;
        } catch (SQLException e) {
            throwUnlessOfRecord(e);
            session.forgetPrepared();
            connection.rollback(before);
            if (rows.size() == 1) {
                refused.add(new Refusal(rows.get(0), e));
                return;
            }
        }
        writeRange(connection, rows.subList(0, rows.size() / 2), refused);
        writeRange(connection, rows.subList(rows.size() / 2, rows.size()), refused);
    }

    private static void release(Connection connection, Savepoint savepoint) throws SQLException {
        try {
            connection.releaseSavepoint(savepoint);
        } catch (SQLFeatureNotSupportedException e) {
            // Some databases, Oracle among them, keep savepoints to the end of the transaction.
            return;
        }
    }

    private void writeSingly(List<Row> rows, List<Refusal> refused, Restart restart) throws SQLException {
        List<Row> left = new ArrayList<>(rows);
        int done = 0;
        while (done < left.size()) {
            try {
                writeAll(left.subList(done, done + 1));
                done++;
            } catch (SQLException e) {
                throwUnlessOfRecord(e);
                refused.add(new Refusal(left.remove(done), e));
                restart.run();
                done = 0;
            }
        }
    }

    private void throwUnlessOfRecord(SQLException e) throws SQLException {
        if (session.failure(e) != Failure.RECORD) {
            throw e;
        }
    }
}
