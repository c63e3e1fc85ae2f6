package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.SchemaBuilder;
import io.sluice.connector.jdbc.db.SchemaNames;
import io.sluice.connector.jdbc.source.column.MappingOptions.Temporal;
import io.sluice.connector.jdbc.source.column.MappingOptions.ZeroDates;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The types of MySQL and MariaDB. The session's time zone is UTC, so that a TIMESTAMP, which is a point in time, is read as that. */
final class MySqlTypes extends ColumnTypes {

    /** Characters of a date and time without a fraction, with its point. */
    private static final int WHOLE_SECONDS = 20;

    MySqlTypes(MappingOptions options) {
        super(options);
    }

    @Override
    Optional<ColumnMapping> map(ColumnInfo info, Connection connection) {
        boolean nullable = info.nullable();
        boolean dateNullable = nullable || options.zeroDates() == ZeroDates.NULL;
        int digits = digits(info);
        return Optional.ofNullable(switch (info.typeName().toUpperCase(Locale.ROOT).replace(" UNSIGNED", "")) {
            case "TINYINT" -> info.precision() == 1 && options.tinyint1IsBoolean() ? zeroOrOne(nullable) : standard(info);
            case "BIT" -> info.precision() > 1 ? large.bytes(info) : bool(nullable);
            case "YEAR" -> ColumnMapping.of(SchemaBuilder.int32(), nullable, MySqlTypes::year);
            case "DATE" -> temporals.date(dateNullable, this::readDate);
            case "DATETIME" -> temporals.timestamp(digits, dateNullable, this::readTimestamp);
            case "TIMESTAMP" -> temporals.instant(digits, dateNullable, (row, column) -> {
                LocalDateTime time = readTimestamp(row, column);
                return time == null ? null : time.toInstant(ZoneOffset.UTC);
            });
            case "TIME" -> time(digits, nullable);
            case "JSON" -> large.text(SchemaBuilder.string().name(SchemaNames.JSON), info);
            case "UUID" -> large.text(SchemaBuilder.string().name(SchemaNames.UUID), info);
            // MariaDB's inet4 and inet6 come as CHAR, ENUM and SET too; all else is as the standard has it.
            default -> info.jdbcType() == Types.TIMESTAMP ? null : standard(info);
        });
    }

    @Override
    int digits(ColumnInfo info) {
        // One driver gives the scale, the other only the width.
        int byWidth = info.jdbcType() == Types.TIMESTAMP ? Math.max(0, info.precision() - WHOLE_SECONDS) : 0;
        return Math.min(ALL_DIGITS, Math.max(byWidth, Math.max(0, info.scale())));
    }

    private static ColumnMapping zeroOrOne(boolean nullable) {
        return ColumnMapping.of(SchemaBuilder.bool(), nullable, (row, column) -> {
            int value = row.getInt(column);
            if (value != 0 && value != 1) {
                throw new ValueProblem("the number " + value + " is neither 0 nor 1; set 'tinyint1.as.boolean' to false");
            }
            return orNull(row, value == 1);
        });
    }

    /** As text, since a driver has been seen to misread the year's bytes as digits. */
    private static Object year(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null ? null : (Integer) Integer.parseInt(text.length() > 4 ? text.substring(0, 4) : text);
    }

    /** A TIME may be negative, and longer than a day: only text and microseconds hold all of it. */
    private ColumnMapping time(int digits, boolean nullable) {
        SchemaBuilder schema = options.temporal() == Temporal.MS ? Temporals.timeSchema()
            : options.temporal() == Temporal.MICROS ? SchemaBuilder.int64().name(SchemaNames.MICRO_TIME) : SchemaBuilder.string().name(SchemaNames.CLOCK_DURATION);
        Function<Duration, Object> convert = switch (options.temporal()) {
            case MS -> time -> temporals.timeMillis(time.toNanos());
            case MICROS -> time -> Temporals.timeMicros(time.toNanos());
            case AUTO, TEXT -> time -> MySqlTimes.text(time, digits);
        };
        return ColumnMapping.of(schema, nullable, (row, column) -> {
            Duration time = MySqlTimes.time(row, column);
            return time == null ? null : convert.apply(time);
        });
    }

    @Override
    LocalDate readDate(ResultSet row, int column) throws SQLException {
        return read(row, column, (from, at) -> {
            String text = from.getString(at);
            return text == null ? null : SqlText.date(text);
        }, LocalDate.EPOCH);
    }

    @Override
    LocalDateTime readTimestamp(ResultSet row, int column) throws SQLException {
        return read(row, column, MySqlTimes::timestamp, LocalDate.EPOCH.atStartOfDay());
    }

    private <T> T read(ResultSet row, int column, Temporals.Source<T> source, T epoch) throws SQLException {
        try {
            return source.read(row, column);
        } catch (DateTimeException e) {
            // 0000-00-00, a month or day of 0, or the 31st of February; the driver itself may refuse to print it.
            return switch (options.zeroDates()) {
                case NULL -> null;
                case EPOCH -> epoch;
                case FAIL -> throw new ValueProblem("the value is a date that no calendar has (" + e.getMessage() + "); set 'zero.dates' to null or epoch", e);
            };
        }
    }
}
