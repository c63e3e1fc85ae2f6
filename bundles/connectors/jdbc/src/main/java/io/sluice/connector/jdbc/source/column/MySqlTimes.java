package io.sluice.connector.jdbc.source.column;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDateTime;

/**
 * Reads times of MySQL and MariaDB exactly. A driver's objects know no dates that no calendar has, and another's texts lose the zeros behind the point of
 * fractions of fewer than six digits (MariaDB's 3.5.6 prints {@code 00:00:00.001} as {@code 00:00:00.1000}); so each is asked for what it does well.
 */
public final class MySqlTimes {

    private static final int NANO_DIGITS = 9;

    private MySqlTimes() {
    }

    /** @throws DateTimeException if it is a date that no calendar has */
    public static LocalDateTime timestamp(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        if (text == null) {
            return null;
        }
        LocalDateTime time = SqlText.timestamp(text);
        return text.indexOf('.') < 0 ? time : time.withNano(row.getObject(column, LocalDateTime.class).getNano());
    }

    /** A TIME, which may be negative or longer than a day. */
    static Duration time(ResultSet row, int column) throws SQLException {
        return row.getObject(column, Duration.class);
    }

    /** As the server prints it: {@code -838:59:59}, {@code 12:34:56.123}. */
    static String text(Duration time, int digits) {
        Duration size = time.abs();
        StringBuilder text = new StringBuilder(time.isNegative() ? "-" : "");
        text.append(String.format("%02d:%02d:%02d", size.toHours(), size.toMinutesPart(), size.toSecondsPart()));
        if (digits > 0) {
            text.append('.').append(String.format("%09d", size.toNanosPart()), 0, Math.min(digits, NANO_DIGITS));
        }
        return text.toString();
    }
}
