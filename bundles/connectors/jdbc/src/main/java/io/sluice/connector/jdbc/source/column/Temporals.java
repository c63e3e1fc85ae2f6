package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.logical.Time;
import io.sluice.connector.jdbc.db.SchemaNames;
import io.sluice.connector.jdbc.source.column.MappingOptions.Temporal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.function.Function;

/** Dates and times as the user wants them. The database's value comes in as a type of {@code java.time}, exact. */
final class Temporals {

    private static final long MILLIS_PER_DAY = 86_400_000;
    private static final long NANOS_PER_DAY = MILLIS_PER_DAY * 1_000_000;
    private static final int MILLI_DIGITS = 3;

    /** How a value is had from a row; null for SQL's NULL. */
    @FunctionalInterface
    interface Source<T> {
        T read(ResultSet row, int column) throws SQLException;
    }

    private final Temporal precision;
    private final ZoneId zone;

    Temporals(MappingOptions options) {
        precision = options.temporal();
        zone = options.zone();
    }

    /** True if a time with so many digits behind the second becomes text. */
    boolean isText(int digits) {
        return precision == Temporal.TEXT || precision == Temporal.AUTO && digits > MILLI_DIGITS;
    }

    ColumnMapping date(boolean nullable, Source<LocalDate> source) {
        return mapping(SchemaBuilder.date(), nullable, source, Temporals::date);
    }

    static Object date(LocalDate date) {
        long days = date.toEpochDay();
        if (days != (int) days) {
            throw new ValueProblem("the date " + date + " is beyond what a record can hold");
        }
        return new Date(days * MILLIS_PER_DAY);
    }

    /** @param digits how many there are behind the second */
    ColumnMapping timestamp(int digits, boolean nullable, Source<LocalDateTime> source) {
        return mapping(timestampSchema(digits), nullable, source, timestamp(digits));
    }

    SchemaBuilder timestampSchema(int digits) {
        return isText(digits) ? SchemaBuilder.string().name(SchemaNames.LOCAL_TIMESTAMP) : instantSchema();
    }

    private SchemaBuilder instantSchema() {
        return precision == Temporal.MICROS ? SchemaBuilder.int64().name(SchemaNames.MICRO_TIMESTAMP) : SchemaBuilder.timestamp();
    }

    Function<LocalDateTime, Object> timestamp(int digits) {
        return isText(digits) ? Temporals::text : time -> number(toInstant(time));
    }

    /** The user has not agreed to any loss: metadata that promise milliseconds and a value that breaks the promise are an error. */
    private void checkMillis(int nano, Object time) {
        if (precision == Temporal.AUTO && nano % 1_000_000 != 0) {
            throw new ValueProblem("the time " + time + " is finer than a millisecond, although the driver says that none is; set 'temporal.precision' to text");
        }
    }

    /** @param digits how many there are behind the second */
    ColumnMapping instant(int digits, boolean nullable, Source<Instant> source) {
        return mapping(zonedSchema(digits), nullable, source, zoned(digits));
    }

    SchemaBuilder zonedSchema(int digits) {
        return isText(digits) ? SchemaBuilder.string().name(SchemaNames.ZONED_TIMESTAMP) : instantSchema();
    }

    Function<Instant, Object> zoned(int digits) {
        return isText(digits) ? Instant::toString : this::number;
    }

    private Object number(Instant instant) {
        checkMillis(instant.getNano(), instant);
        try {
            return precision == Temporal.MICROS ? (Object) micros(instant) : new Date(instant.toEpochMilli());
        } catch (ArithmeticException e) {
            throw new ValueProblem("the time " + instant + " is beyond what 64 bits can hold; set 'temporal.precision' to text", e);
        }
    }

    private static long micros(Instant instant) {
        if (instant.getNano() % 1_000 != 0) {
            throw new ValueProblem("the time " + instant + " is finer than a microsecond; set 'temporal.precision' to text");
        }
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
    }

    private Instant toInstant(LocalDateTime time) {
        return zone == ZoneOffset.UTC ? time.toInstant(ZoneOffset.UTC) : time.atZone(zone).toInstant();
    }

    /** @param source nanoseconds since midnight, up to and including the end of the day */
    ColumnMapping time(int digits, boolean nullable, Source<Long> source) {
        return mapping(timeSchema(digits), nullable, source, time(digits));
    }

    SchemaBuilder timeSchema(int digits) {
        return isText(digits) ? SchemaBuilder.string().name(SchemaNames.LOCAL_TIME)
            : precision == Temporal.MICROS ? SchemaBuilder.int64().name(SchemaNames.MICRO_TIME) : timeSchema();
    }

    /** Milliseconds of the day. The builder's own method of this name makes a Timestamp. */
    static SchemaBuilder timeSchema() {
        return SchemaBuilder.int32().name(Time.LOGICAL_NAME);
    }

    Function<Long, Object> time(int digits) {
        return isText(digits) ? Temporals::timeText : precision == Temporal.MICROS ? Temporals::timeMicros : this::timeMillis;
    }

    static Object timeMicros(long nanos) {
        if (nanos % 1_000 != 0) {
            throw new ValueProblem("the time " + timeText(nanos) + " is finer than a microsecond; set 'temporal.precision' to text");
        }
        return nanos / 1_000;
    }

    Object timeMillis(long nanos) {
        if (nanos < 0 || nanos > NANOS_PER_DAY) {
            throw new ValueProblem("the time of " + nanos / 1_000_000_000 + " seconds is no time of a day; set 'temporal.precision' to text or micros");
        }
        checkMillis((int) (nanos % 1_000_000_000), timeText(nanos));
        return new Date(nanos / 1_000_000);
    }

    private static String timeText(long nanos) {
        if (nanos == NANOS_PER_DAY) {
            return "24:00:00";
        }
        LocalTime time = LocalTime.ofNanoOfDay(nanos);
        return time.getSecond() == 0 && time.getNano() == 0 ? time + ":00" : time.toString();
    }

    /** ISO 8601, seconds always there. */
    static String text(LocalDateTime time) {
        return time.getSecond() == 0 && time.getNano() == 0 ? time + ":00" : time.toString();
    }

    private static <T> ColumnMapping mapping(SchemaBuilder schema, boolean nullable, Source<T> source, Function<T, Object> convert) {
        return ColumnMapping.of(schema, nullable, (row, column) -> {
            T value = source.read(row, column);
            return value == null ? null : convert.apply(value);
        });
    }
}
