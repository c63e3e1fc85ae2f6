package io.sluice.connector.jdbc.sink.bind;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.Objects;
import java.util.Optional;

/**
 * Plain values as dates, times and timestamps. A date and a time of day have no zone; an instant becomes the local time of one zone where
 * the column has none.
 */
public final class Temporal {

    /** ISO 8601, with a blank for the T as databases print it, and with any form of offset. */
    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE)
        .optionalStart().appendLiteral('T').append(DateTimeFormatter.ISO_LOCAL_TIME)
        .optionalStart().appendPattern("[XXX][X]").toFormatter();
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_TIME)
        .optionalStart().appendPattern("[XXX][X]").toFormatter();
    private static final DateTimeFormatter LOCAL = new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE)
        .appendLiteral(' ').append(DateTimeFormatter.ofPattern("HH:mm:ss")).toFormatter();

    private final ZoneId zone;

    /** @param zone whose local time a timestamp without a zone has */
    public Temporal(ZoneId zone) {
        this.zone = Objects.requireNonNull(zone, "zone");
    }

    public LocalDateTime local(Instant instant) {
        return LocalDateTime.ofInstant(instant, zone);
    }

    LocalDate date(Object value) {
        if (value instanceof LocalDate date) {
            return date;
        }
        LocalDateTime time = value instanceof Instant instant ? LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
            : value instanceof LocalDateTime local ? local
            : value instanceof String text ? parse(text).map(this::local).orElseThrow(() -> unfit(value, Target.DATE)) : null;
        if (time == null || !time.toLocalTime().equals(LocalTime.MIDNIGHT)) {
            throw unfit(value, Target.DATE);
        }
        return time.toLocalDate();
    }

    LocalTime time(Object value) {
        if (value instanceof LocalTime time) {
            return time;
        }
        if (value instanceof String text) {
            return parseTime(text).map(time -> time instanceof OffsetTime offset ? offset.toLocalTime() : (LocalTime) time)
                .orElseThrow(() -> unfit(value, Target.TIME));
        }
        if (value instanceof Instant instant && LocalDate.ofInstant(instant, ZoneOffset.UTC).equals(LocalDate.EPOCH)) {
            return LocalTime.ofInstant(instant, ZoneOffset.UTC);
        }
        throw unfit(value, Target.TIME);
    }

    OffsetTime timeZoned(Object value) {
        if (value instanceof String text) {
            return parseTime(text).map(time -> time instanceof OffsetTime offset ? offset : ((LocalTime) time).atOffset(ZoneOffset.UTC))
                .orElseThrow(() -> unfit(value, Target.TIME_ZONED));
        }
        return time(value).atOffset(ZoneOffset.UTC);
    }

    LocalDateTime timestamp(Object value) {
        if (value instanceof Instant instant) {
            return local(instant);
        }
        if (value instanceof LocalDateTime time) {
            return time;
        }
        if (value instanceof LocalDate date) {
            return date.atStartOfDay();
        }
        if (value instanceof Long millis) {
            return local(Instant.ofEpochMilli(millis));
        }
        if (value instanceof String text) {
            return parse(text).map(this::local).orElseThrow(() -> unfit(value, Target.TIMESTAMP));
        }
        throw unfit(value, Target.TIMESTAMP);
    }

    OffsetDateTime timestampZoned(Object value) {
        if (value instanceof Instant instant) {
            return instant.atOffset(ZoneOffset.UTC);
        }
        if (value instanceof LocalDateTime time) {
            return time.atZone(zone).toOffsetDateTime();
        }
        if (value instanceof LocalDate date) {
            return date.atStartOfDay(zone).toOffsetDateTime();
        }
        if (value instanceof Long millis) {
            return Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC);
        }
        if (value instanceof String text) {
            TemporalAccessor time = parse(text).orElseThrow(() -> unfit(value, Target.TIMESTAMP_ZONED));
            return time instanceof OffsetDateTime offset ? offset : local(time).atZone(zone).toOffsetDateTime();
        }
        throw unfit(value, Target.TIMESTAMP_ZONED);
    }

    private LocalDateTime local(TemporalAccessor time) {
        return time instanceof OffsetDateTime offset ? local(offset.toInstant())
            : time instanceof LocalDate date ? date.atStartOfDay() : (LocalDateTime) time;
    }

    private static Optional<TemporalAccessor> parse(String text) {
        String trimmed = text.trim();
        String iso = trimmed.length() > 10 && trimmed.charAt(10) == ' ' ? trimmed.substring(0, 10) + 'T' + trimmed.substring(11).trim() : trimmed;
        try {
            return Optional.of(TIMESTAMP.parseBest(iso, OffsetDateTime::from, LocalDateTime::from, LocalDate::from));
        } catch (DateTimeException e) {
            // Not in this form: the caller says so, or leaves the text to the database.
            return Optional.empty();
        }
    }

    private static Optional<TemporalAccessor> parseTime(String text) {
        try {
            return Optional.of(TIME.parseBest(text.trim(), OffsetTime::from, LocalTime::from));
        } catch (DateTimeException e) {
            // As above.
            return Optional.empty();
        }
    }

    private static DataProblem unfit(Object value, Target target) {
        return DataProblem.unfit(value, target);
    }

    /** As databases read it: {@code 2024-01-31 12:34:56.789}, with as many digits behind the second as are needed. */
    public static String text(LocalDateTime time) {
        return LOCAL.format(time) + fraction(time.toLocalTime());
    }

    /** {@code 12:34:56.789}, with as many digits behind the second as are needed. */
    public static String text(LocalTime time) {
        return DateTimeFormatter.ofPattern("HH:mm:ss").format(time) + fraction(time);
    }

    private static String fraction(LocalTime time) {
        int nanos = time.getNano();
        return nanos == 0 ? "" : nanos % 1_000_000 == 0 ? String.format(".%03d", nanos / 1_000_000)
            : nanos % 1_000 == 0 ? String.format(".%06d", nanos / 1_000) : String.format(".%09d", nanos);
    }
}
