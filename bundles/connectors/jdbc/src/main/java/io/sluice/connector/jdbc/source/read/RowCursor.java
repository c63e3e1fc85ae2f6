package io.sluice.connector.jdbc.source.read;

import io.sluice.connector.jdbc.db.Vendor;
import io.sluice.connector.jdbc.source.column.ColumnInfo;
import io.sluice.connector.jdbc.source.column.Shape;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The rows of one scan, streamed. */
final class RowCursor implements AutoCloseable {

    /** Rows to fetch at once before it is known how large they are. */
    static final int FIRST_FETCH = 100;
    private static final int MOST_FETCHED = 10_000;

    /** One row. @param bytes about what it takes in memory */
    record Row(Object[] values, Position position, long bytes) {
    }

    private final PreparedStatement statement;
    private final ResultSet result;
    private final Shape shape;
    private final OrderColumns columns;
    private final TimeOrder time;
    private final int numberIndex;
    private final int[] timeIndexes;
    private final boolean isSqlite;
    private long rows;
    private long bytes;

    /** Takes the statement over. */
    RowCursor(PreparedStatement statement, ResultSet result, Shape shape, OrderColumns columns, TimeOrder time, Vendor vendor) {
        this.statement = statement;
        this.result = result;
        this.shape = shape;
        this.columns = columns;
        this.time = time;
        this.numberIndex = columns.incrementing().map(this::index).orElse(0);
        this.timeIndexes = columns.timestamps().stream().mapToInt(this::index).toArray();
        this.isSqlite = vendor == Vendor.SQLITE;
    }

    private int index(ColumnInfo wanted) {
        for (int i = 0; i < shape.columns().size(); i++) {
            if (shape.columns().get(i).label().equals(wanted.label())) {
                return i + 1;
            }
        }
        throw new IllegalStateException("the column '" + wanted.label() + "' has gone from the result");
    }

    Shape shape() {
        return shape;
    }

    /** @return empty after the last row */
    Optional<Row> next() throws SQLException {
        if (!result.next()) {
            return Optional.empty();
        }
        Position position = position();
        Object[] values = shape.read(result);
        long size = size(values);
        rows++;
        bytes += size;
        return Optional.of(new Row(values, position, size));
    }

    private Position position() throws SQLException {
        boolean numbered = numberIndex > 0;
        if (timeIndexes.length == 0) {
            return numbered ? Position.of(number()) : Position.START;
        }
        return numbered ? Position.of(time.read(result, timeIndexes), number()) : Position.of(time.read(result, timeIndexes));
    }

    private BigDecimal number() throws SQLException {
        // SQLite's driver makes a double of a large whole number on its way to a decimal.
        return isSqlite ? BigDecimal.valueOf(result.getLong(numberIndex)) : result.getBigDecimal(numberIndex);
    }

    private static long size(Object[] values) {
        long size = 32 + 24L * values.length;
        for (Object value : values) {
            if (value instanceof String text) {
                size += text.length();
            } else if (value instanceof byte[] data) {
                size += data.length;
            } else if (value instanceof List<?> list) {
                size += 32L * list.size();
            }
        }
        return size;
    }

    /** Fetches as many rows from now on as fit in so many bytes, if they are as large as those so far. */
    void fetchAtMost(long limit) throws SQLException {
        if (rows > 0) {
            result.setFetchSize((int) Math.max(1, Math.min(MOST_FETCHED, limit / Math.max(1, bytes / rows))));
        }
    }

    @Override
    public void close() throws SQLException {
        try (statement) {
            result.close();
        }
    }
}
