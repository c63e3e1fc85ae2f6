package io.sluice.connector.jdbc.source.column;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;

/** Derby's types. It knows no objects of java.time, and its java.sql ones lose the hour that summer time leaves out; its texts are exact. */
final class DerbyTypes extends ColumnTypes {

    DerbyTypes(MappingOptions options) {
        super(options);
    }

    @Override
    LocalDate readDate(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null ? null : SqlText.date(text);
    }

    @Override
    Long readTime(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null ? null : (Long) SqlText.nanosOfTime(text);
    }

    @Override
    LocalDateTime readTimestamp(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null ? null : SqlText.timestamp(text);
    }
}
