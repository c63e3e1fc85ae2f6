package io.sluice.connector.jdbc.sink.bind;

import io.openmessaging.connector.api.data.Struct;
import io.sluice.connector.jdbc.sink.dialect.ValueType;
import io.sluice.connector.jdbc.sink.dialect.ValueType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Brings the many Java forms of a record's values down to few: {@code Long}, {@code BigDecimal}, {@code Float}, {@code Double},
 * {@code Boolean}, {@code String}, {@code byte[]}, {@code LocalDate}, {@code LocalTime}, {@code LocalDateTime}, {@code Instant},
 * {@code List}, {@code Struct} and {@code Map}.
 */
public final class Plain {

    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

    private Plain() {
    }

    /**
     * @param value not null
     * @throws DataProblem if the value is not of the type that its schema states
     */
    public static Object of(ValueType type, Object value) {
        Object plain = switch (type.kind()) {
            case INT8, INT16, INT32, INT64, MICRO_TIMESTAMP, MICRO_TIME -> isWhole(value) ? (Object) ((Number) value).longValue() : null;
            case FLOAT32 -> value instanceof Float ? value : null;
            case FLOAT64 -> value instanceof Double || value instanceof Float ? (Object) ((Number) value).doubleValue() : null;
            case BOOLEAN -> value instanceof Boolean ? value : null;
            case STRING, TEXT_TIMESTAMP, TEXT_INSTANT, UUID, JSON -> value instanceof CharSequence ? value.toString() : null;
            case BYTES -> bytes(value);
            case DECIMAL -> decimal(value, type.scale());
            case DATE -> date(value);
            case TIME -> time(value);
            case TIMESTAMP -> timestamp(value);
            case ARRAY -> value instanceof List<?> ? value : value instanceof Object[] array ? Arrays.asList(array) : null;
            case NESTED -> value instanceof Struct || value instanceof Map<?, ?> ? value : null;
            case FREE -> free(value);
        };
        if (plain == null) {
            throw new DataProblem(type.kind() == Kind.FREE ? "a " + value.getClass().getName() + " has no form in a database"
                : "its schema says " + type + ", but it is " + describe(value));
        }
        return plain;
    }

    private static boolean isWhole(Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
    }

    private static byte[] bytes(Object value) {
        if (value instanceof ByteBuffer buffer) {
            // The buffer's position belongs to whoever made the record; a batch may be put again.
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        }
        return value instanceof byte[] bytes ? bytes : null;
    }

    private static BigDecimal decimal(Object value, int scale) {
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        byte[] unscaled = bytes(value);
        return unscaled == null || unscaled.length == 0 ? null : new BigDecimal(new BigInteger(unscaled), scale);
    }

    private static LocalDate date(Object value) {
        if (value instanceof java.util.Date date) {
            return LocalDate.ofEpochDay(Math.floorDiv(date.getTime(), DAY_MS));
        }
        if (value instanceof LocalDate date) {
            return date;
        }
        return isWhole(value) ? LocalDate.ofEpochDay(((Number) value).longValue()) : null;
    }

    private static LocalTime time(Object value) {
        if (value instanceof LocalTime time) {
            return time;
        }
        Long millis = value instanceof java.util.Date date ? (Long) Math.floorMod(date.getTime(), DAY_MS)
            : isWhole(value) ? (Long) ((Number) value).longValue() : null;
        return millis == null || millis < 0 || millis >= DAY_MS ? null : LocalTime.ofNanoOfDay(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static Instant timestamp(Object value) {
        if (value instanceof java.sql.Timestamp timestamp) {
            return timestamp.toInstant();
        }
        if (value instanceof java.util.Date date) {
            return Instant.ofEpochMilli(date.getTime());
        }
        if (value instanceof Instant instant) {
            return instant;
        }
        return isWhole(value) ? Instant.ofEpochMilli(((Number) value).longValue()) : null;
    }

    private static Object free(Object value) {
        if (isWhole(value)) {
            return ((Number) value).longValue();
        }
        if (value instanceof BigInteger whole) {
            return new BigDecimal(whole);
        }
        if (value instanceof CharSequence || value instanceof UUID || value instanceof Enum<?> || value instanceof Character) {
            return value.toString();
        }
        if (value instanceof java.util.Date) {
            return timestamp(value);
        }
        if (value instanceof OffsetDateTime time) {
            return time.toInstant();
        }
        if (value instanceof ZonedDateTime time) {
            return time.toInstant();
        }
        if (value instanceof ByteBuffer) {
            return bytes(value);
        }
        if (value instanceof Object[] array) {
            return Arrays.asList(array);
        }
        boolean isPlain = value instanceof BigDecimal || value instanceof Float || value instanceof Double || value instanceof Boolean
            || value instanceof byte[] || value instanceof LocalDate || value instanceof LocalTime || value instanceof LocalDateTime
            || value instanceof Instant || value instanceof List<?> || value instanceof Struct || value instanceof Map<?, ?>;
        return isPlain ? value : null;
    }

    /** A value for a sentence: what it is and its beginning. */
    static String describe(Object value) {
        if (value instanceof byte[] bytes) {
            return "a value of " + bytes.length + " bytes";
        }
        if (value instanceof Struct || value instanceof Map<?, ?>) {
            return "a struct or map";
        }
        if (value instanceof List<?> list) {
            return "a list of " + list.size();
        }
        String text = String.valueOf(value);
        String shown = text.length() > 40 ? text.substring(0, 40) + "..." : text;
        return value instanceof CharSequence ? "the text '" + shown + "'" : "the " + value.getClass().getSimpleName() + " " + shown;
    }
}
