package io.sluice.connector.jdbc.sink;

import io.openmessaging.connector.api.data.logical.Date;
import io.openmessaging.connector.api.data.logical.Time;
import io.openmessaging.connector.api.data.logical.Timestamp;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.sink.TableNames.Column;
import io.sluice.connector.jdbc.sink.Row.Cell;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;

/** Sets the parameters of a statement. Times without a zone are taken as UTC, as the source writes them. */
final class Binder {

    private Binder() {
    }

    static void bind(PreparedStatement statement, int index, Column column, Cell cell) throws SQLException {
        Object value = cell.value();
        if (value == null) {
            statement.setNull(index, column.type());
        } else if (value instanceof java.util.Date date) {
            statement.setObject(index, temporal(date, cell, column));
        } else if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            statement.setBytes(index, bytes);
        } else if (value instanceof byte[] bytes) {
            statement.setBytes(index, bytes);
        } else if (value instanceof String text) {
            text(statement, index, column, text);
        } else if (value instanceof Character || value instanceof Number || value instanceof Boolean) {
            statement.setObject(index, value instanceof Byte small ? Short.valueOf(small) : value);
        } else {
            throw new ConnectException("column '" + column.name() + "' cannot hold a " + value.getClass().getSimpleName()
                + "; flatten the record, or leave the field out by 'fields.whitelist'");
        }
    }

    private static Object temporal(java.util.Date date, Cell cell, Column column) {
        LocalDateTime utc = LocalDateTime.ofInstant(date.toInstant(), ZoneOffset.UTC);
        String name = cell.schema() == null ? "" : String.valueOf(cell.schema().getName());
        if (name.equals(Date.LOGICAL_NAME)) {
            return utc.toLocalDate();
        }
        if (name.equals(Time.LOGICAL_NAME)) {
            return utc.toLocalTime();
        }
        return name.equals(Timestamp.LOGICAL_NAME) && isZoned(column) ? utc.atOffset(ZoneOffset.UTC) : utc;
    }

    private static boolean isZoned(Column column) {
        return column.type() == Types.TIMESTAMP_WITH_TIMEZONE || column.typeName().equalsIgnoreCase("timestamptz");
    }

    /** Text goes into any column whose type it spells: that is how the source writes what has no type of its own in a record. */
    private static void text(PreparedStatement statement, int index, Column column, String text) throws SQLException {
        try {
            switch (column.type()) {
                case Types.DATE -> statement.setObject(index, LocalDate.parse(text));
                case Types.TIME -> statement.setObject(index, LocalTime.parse(text));
                case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE -> statement.setObject(index,
                    isZoned(column) ? OffsetDateTime.parse(text) : LocalDateTime.parse(text));
                case Types.DECIMAL, Types.NUMERIC -> statement.setBigDecimal(index, new java.math.BigDecimal(text));
                case Types.OTHER -> statement.setObject(index, text, Types.OTHER);
                default -> statement.setString(index, text);
            }
        } catch (DateTimeParseException | NumberFormatException e) {
            throw new ConnectException("column '" + column.name() + "' is a " + column.typeName() + ", and '" + text + "' does not spell one", e);
        }
    }
}
