package io.sluice.connector.jdbc.sink.bind;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.sluice.connector.jdbc.sink.dialect.ValueType.Kind;
import io.sluice.connector.jdbc.sink.dialect.ValueType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Turns the values of one field into what its column takes: exactly, or with a {@link DataProblem}. The result is a {@code Long},
 * {@code BigDecimal}, {@code Float}, {@code Double}, {@code Boolean}, {@code String}, {@code byte[]}, {@code UUID}, a type of
 * {@code java.time}, a {@link RawText}, or a list of these. Immutable.
 */
public final class Conversion {

    /** A number that would take more digits than this as text is no number anybody meant. */
    private static final int LONGEST_NUMBER = 10_000;

    private final ValueType type;
    private final Schema schema;
    private final Target target;
    private final Optional<Conversion> elements;
    private final Rules rules;
    private final boolean rawTimes;

    /**
     * @param schema the field's schema; null if there is none
     * @param target what the column takes
     * @param element what the elements of an array column are
     * @param rawTimes whether the database may be left to read a date or time that is not in ISO form
     */
    public Conversion(Schema schema, Target target, Optional<Target> element, Rules rules, boolean rawTimes) {
        this.type = ValueType.of(schema);
        this.schema = schema;
        this.target = target;
        this.rules = rules;
        this.rawTimes = rawTimes;
        this.elements = element.map(part -> new Conversion(schema == null ? null : schema.getValueSchema(), part, Optional.empty(), rules, rawTimes));
    }

    /** @param value not null */
    public Object convert(Object value) {
        Object plain = meant(Plain.of(type, value));
        boolean nested = plain instanceof Struct || plain instanceof Map<?, ?> || plain instanceof List<?>;
        if (nested) {
            return nested(plain);
        }
        Temporal times = rules.temporal();
        return switch (target) {
            case WHOLE -> Numeric.whole(plain);
            case DECIMAL -> Numeric.decimal(plain);
            case FLOAT, DOUBLE -> Numeric.floating(plain, target);
            case BOOLEAN -> Numeric.bool(plain);
            case BITS -> bits(plain);
            case TEXT, OTHER -> text(plain);
            case BINARY -> bytes(plain);
            case UUID -> uuid(plain);
            case DATE -> time(plain, times::date);
            case TIME -> time(plain, times::time);
            case TIME_ZONED -> time(plain, times::timeZoned);
            case TIMESTAMP -> time(plain, times::timestamp);
            case TIMESTAMP_ZONED -> time(plain, times::timestampZoned);
            case ARRAY -> throw DataProblem.unfit(plain, target);
        };
    }

    /** Microseconds stand for a time where the column holds one; in any other column they stay a number. */
    private Object meant(Object plain) {
        boolean timestamps = target == Target.TIMESTAMP || target == Target.TIMESTAMP_ZONED || target == Target.DATE;
        if (type.kind() == Kind.MICRO_TIMESTAMP && timestamps) {
            return Instant.EPOCH.plus((Long) plain, ChronoUnit.MICROS);
        }
        if (type.kind() == Kind.MICRO_TIME && (target == Target.TIME || target == Target.TIME_ZONED)) {
            long micros = (Long) plain;
            if (micros < 0 || micros >= TimeUnit.DAYS.toMicros(1)) {
                throw DataProblem.unfit(plain, target);
            }
            return LocalTime.ofNanoOfDay(TimeUnit.MICROSECONDS.toNanos(micros));
        }
        return plain;
    }

    private Object nested(Object value) {
        if (target == Target.ARRAY && value instanceof List<?> list && elements.isPresent()) {
            Conversion conversion = elements.get();
            List<Object> converted = new ArrayList<>(list.size());
            for (Object element : list) {
                // An array of arrays has the same element type in the database, at any depth.
                converted.add(element == null ? null : element instanceof List<?> || element instanceof Object[]
                    ? deeper().convert(element) : conversion.convert(element));
            }
            return converted;
        }
        if (target != Target.TEXT && target != Target.OTHER) {
            throw DataProblem.unfit(value, target);
        }
        if (!rules.nestedAsJson()) {
            throw new DataProblem(Plain.describe(value) + " has no column type here; set nested.values=json to write it as JSON text, or leave the field out");
        }
        return JsonText.of(schema, value);
    }

    private Conversion deeper() {
        return new Conversion(schema == null ? null : schema.getValueSchema(), Target.ARRAY, elements.map(each -> each.target), rules, rawTimes);
    }

    private interface Reading {
        Object of(Object value);
    }

    private Object time(Object value, Reading reading) {
        try {
            return reading.of(value);
        } catch (DataProblem e) {
            if (rawTimes && value instanceof String text) {
                return new RawText(text);
            }
            throw e;
        }
    }

    private static String text(Object value) {
        if (value instanceof BigDecimal decimal) {
            if (Math.abs((long) decimal.scale()) > LONGEST_NUMBER) {
                throw DataProblem.unfit(value, Target.TEXT);
            }
            return decimal.toPlainString();
        }
        if (value instanceof LocalTime time) {
            return Temporal.text(time);
        }
        if (value instanceof byte[]) {
            throw DataProblem.unfit(value, Target.TEXT);
        }
        return value.toString();
    }

    private byte[] bytes(Object value) {
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        if (value instanceof String text && type.kind() == Kind.FREE) {
            // JSON has no bytes; converters write them so.
            try {
                return Base64.getDecoder().decode(text);
            } catch (IllegalArgumentException e) {
                throw new DataProblem(Plain.describe(value) + " is not base64, as bytes without a schema have to be", e);
            }
        }
        throw DataProblem.unfit(value, Target.BINARY);
    }

    private static Object bits(Object value) {
        if (value instanceof Boolean || value instanceof Long || value instanceof byte[]) {
            return value;
        }
        if (value instanceof String text && !text.isEmpty() && text.chars().allMatch(c -> c == '0' || c == '1')) {
            return new RawText(text);
        }
        throw DataProblem.unfit(value, Target.BITS);
    }

    private static UUID uuid(Object value) {
        if (value instanceof String text) {
            try {
                return UUID.fromString(text.trim());
            } catch (IllegalArgumentException e) {
                throw new DataProblem(Plain.describe(value) + " is no UUID", e);
            }
        }
        if (value instanceof byte[] bytes && bytes.length == 16) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return new UUID(buffer.getLong(), buffer.getLong());
        }
        throw DataProblem.unfit(value, Target.UUID);
    }
}
