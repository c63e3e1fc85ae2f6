package io.sluice.connector.jdbc.source.read;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.db.Database;
import io.sluice.connector.jdbc.db.Vendor;
import io.sluice.connector.jdbc.source.column.ColumnInfo;
import io.sluice.connector.jdbc.source.column.MySqlTimes;
import io.sluice.connector.jdbc.source.column.SqlText;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The times that rows are put in order by: their expression in SQL, their values in results and statements, exact in both directions. Local
 * times are handled as if they were UTC.
 */
final class TimeOrder {

    private final Database database;
    private final OrderColumns columns;
    private final Optional<ZoneId> zone;

    /** @param zone {@code db.timezone}; empty for what the database itself takes for the local time */
    TimeOrder(Database database, OrderColumns columns, Optional<ZoneId> zone) {
        this.database = database;
        this.columns = columns;
        this.zone = zone;
    }

    /** The expression to compare and to put in order. */
    String expression() {
        List<String> each = columns.timestamps().stream().map(ColumnInfo::label).map(database::quoted).map(this::comparable).toList();
        return each.size() == 1 ? each.get(0) : each.stream().collect(Collectors.joining(", ", "coalesce(", ")"));
    }

    /** SQLite compares texts and numbers as they are; milliseconds since 1970 can be had of both. */
    private String comparable(String column) {
        return database.vendor() != Vendor.SQLITE ? column : "case when typeof(" + column + ") = 'integer' then " + column
            + " else cast(round((julianday(" + column + ") - 2440587.5) * 86400000) as integer) end";
    }

    /**
     * The time of the current row.
     *
     * @param indexes the columns' numbers in the result, in their order
     */
    Instant read(ResultSet row, int[] indexes) throws SQLException {
        for (int index : indexes) {
            Instant time = read(row, index);
            if (time != null) {
                return time;
            }
        }
        throw new ConnectException("a row has no time although the database compared it with one");
    }

    private Instant read(ResultSet row, int index) throws SQLException {
        return switch (columns.kind()) {
            case SQLITE -> sqlite(row.getObject(index));
            case DAY -> {
                LocalDate day = isText() ? parse(row, index, SqlText::date) : row.getObject(index, LocalDate.class);
                yield day == null ? null : day.atStartOfDay().toInstant(ZoneOffset.UTC);
            }
            case LOCAL -> {
                LocalDateTime time = database.vendor() == Vendor.MYSQL ? mySql(row, index) : isText() ? parse(row, index, SqlText::timestamp) : row.getObject(index, LocalDateTime.class);
                yield time == null ? null : time.toInstant(ZoneOffset.UTC);
            }
            case ZONED -> {
                if (database.vendor() == Vendor.MYSQL) {
                    LocalDateTime time = mySql(row, index);
                    yield time == null ? null : time.toInstant(ZoneOffset.UTC);
                }
                if (isText()) {
                    yield parse(row, index, SqlText::instant);
                }
                OffsetDateTime time = row.getObject(index, OffsetDateTime.class);
                yield time == null ? null : time.toInstant();
            }
        };
    }

    /** Where the driver's text is exact and its objects are not. */
    private boolean isText() {
        return switch (database.vendor()) {
            case POSTGRESQL, MYSQL, DERBY -> true;
            case H2, SQLITE, GENERIC -> false;
        };
    }

    @FunctionalInterface
    private interface Parse<T> {
        T of(String text);
    }

    private static <T> T parse(ResultSet row, int index, Parse<T> parse) throws SQLException {
        try {
            String text = row.getString(index);
            return text == null ? null : parse.of(text);
        } catch (DateTimeException e) {
            throw noPlace(e);
        }
    }

    private static LocalDateTime mySql(ResultSet row, int index) throws SQLException {
        try {
            return MySqlTimes.timestamp(row, index);
        } catch (DateTimeException e) {
            throw noPlace(e);
        }
    }

    private static ConnectException noPlace(DateTimeException e) {
        return new ConnectException("a time to put rows in order by has no place in that order (" + e.getMessage()
            + "); mend the row, or leave it out by a 'query'", e);
    }

    private static Instant sqlite(Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof Number number) {
            return Instant.ofEpochMilli(number.longValue());
        }
        // As julianday() rounds it.
        return Instant.ofEpochMilli(SqlText.instant(value.toString()).plusNanos(500_000).toEpochMilli());
    }

    void bind(PreparedStatement statement, int parameter, Instant time) throws SQLException {
        LocalDateTime local = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
        switch (columns.kind()) {
            case SQLITE -> statement.setLong(parameter, time.toEpochMilli());
            case DAY -> {
                if (database.vendor() == Vendor.DERBY) {
                    statement.setString(parameter, local.toLocalDate().toString());
                } else {
                    statement.setObject(parameter, local.toLocalDate());
                }
            }
            case LOCAL -> {
                if (database.vendor() == Vendor.DERBY) {
                    statement.setString(parameter, local.toLocalDate() + " " + local.toLocalTime().truncatedTo(ChronoUnit.SECONDS)
                        .format(DateTimeFormatter.ISO_LOCAL_TIME) + String.format(".%09d", local.getNano()));
                } else {
                    statement.setObject(parameter, local);
                }
            }
            case ZONED -> {
                if (database.vendor() == Vendor.MYSQL) {
                    // In the session's zone, which is UTC.
                    statement.setObject(parameter, local);
                } else {
                    statement.setObject(parameter, time.atOffset(ZoneOffset.UTC));
                }
            }
        }
    }

    /** A real point in time as columns of this kind would hold it. @param now tells the database's zone if none is configured */
    Instant asStored(Instant real, ServerClock.Now now) {
        return isZoned() ? real : LocalDateTime.ofInstant(real, zone.orElseGet(now::offset)).toInstant(ZoneOffset.UTC);
    }

    private boolean isZoned() {
        return columns.kind() == OrderColumns.TimeKind.ZONED || columns.kind() == OrderColumns.TimeKind.SQLITE && zone.isEmpty();
    }

    /**
     * The latest time before which no row can come any more: at the database's time {@code now}, less the delay, cut off to what the columns
     * can hold. Two rows that are written one after the other within a second have the same time in a column of whole seconds; so the
     * present second is read only when it is over.
     */
    Instant bound(ServerClock.Now now, Duration delay) {
        Instant stored = (isZoned() ? now.instant() : zone.isPresent() ? asStored(now.instant(), now) : now.local().toInstant(ZoneOffset.UTC)).minus(delay);
        if (columns.digits() < 0) {
            return stored.truncatedTo(ChronoUnit.DAYS);
        }
        long unit = 1;
        for (int i = columns.digits(); i < 9; i++) {
            unit *= 10;
        }
        return stored.with(ChronoField.NANO_OF_SECOND, stored.getNano() - stored.getNano() % unit);
    }
}
