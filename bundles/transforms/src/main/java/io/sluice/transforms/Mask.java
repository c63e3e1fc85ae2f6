package io.sluice.transforms;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.logical.Decimal;
import io.openmessaging.connector.api.data.logical.Time;
import io.openmessaging.connector.api.data.logical.Timestamp;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What is put in place of a masked value: nothing of its type, or the replacement. */
final class Mask {

    private static final Set<String> INSTANTS = Set.of(
        io.openmessaging.connector.api.data.logical.Date.LOGICAL_NAME, Time.LOGICAL_NAME, Timestamp.LOGICAL_NAME);

    private final String replacement;

    /** @param replacement what to put; empty for nothing of the type */
    Mask(String replacement) {
        this.replacement = replacement;
    }

    /** For a value of {@code schema}. @throws IllegalArgumentException if it cannot be masked */
    Object of(Schema schema) {
        boolean given = !replacement.isEmpty();
        if (Decimal.LOGICAL_NAME.equals(schema.getName())) {
            return decimal(given ? number(BigDecimal::new, "a decimal") : BigDecimal.ZERO, scale(schema));
        }
        if (schema.getName() != null && INSTANTS.contains(schema.getName())) {
            return of(new Date(0));
        }
        return switch (schema.getFieldType()) {
            case INT8 -> of((byte) 0);
            case INT16 -> of((short) 0);
            case INT32 -> of(0);
            case INT64 -> of(0L);
            case FLOAT32 -> of(0f);
            case FLOAT64 -> of(0d);
            case STRING -> of("");
            case BOOLEAN -> of(false);
            case BYTES -> of(new byte[0]);
            case ARRAY -> of(List.of());
            case MAP -> of(Map.of());
            default -> throw new IllegalArgumentException("a " + schema.getFieldType() + " cannot be masked");
        };
    }

    /** For {@code value}, which has no schema. @throws IllegalArgumentException if it cannot be masked */
    Object of(Object value) {
        boolean given = !replacement.isEmpty();
        if (value instanceof String) {
            return replacement;
        } else if (value instanceof Byte) {
            return given ? number(Byte::valueOf, "an 8-bit integer") : (Object) (byte) 0;
        } else if (value instanceof Short) {
            return given ? number(Short::valueOf, "a 16-bit integer") : (Object) (short) 0;
        } else if (value instanceof Integer) {
            return given ? number(Integer::valueOf, "a 32-bit integer") : (Object) 0;
        } else if (value instanceof Long) {
            return given ? number(Long::valueOf, "a 64-bit integer") : (Object) 0L;
        } else if (value instanceof Float) {
            return given ? number(Float::valueOf, "a 32-bit float") : (Object) 0f;
        } else if (value instanceof Double) {
            return given ? number(Double::valueOf, "a 64-bit float") : (Object) 0d;
        } else if (value instanceof BigInteger) {
            return given ? number(BigInteger::new, "a whole number") : BigInteger.ZERO;
        } else if (value instanceof BigDecimal) {
            return given ? number(BigDecimal::new, "a decimal") : BigDecimal.ZERO;
        } else if (value instanceof Boolean) {
            return withoutReplacement(false, "a boolean");
        } else if (value instanceof Date) {
            return withoutReplacement(new Date(0), "a date or time");
        } else if (value instanceof byte[] || value instanceof ByteBuffer) {
            return withoutReplacement(new byte[0], "bytes");
        } else if (value instanceof List) {
            return withoutReplacement(List.of(), "a list");
        } else if (value instanceof Map) {
            return withoutReplacement(Map.of(), "a map");
        }
        throw new IllegalArgumentException("a " + value.getClass().getName() + " cannot be masked");
    }

    private Object withoutReplacement(Object nothing, String what) {
        if (!replacement.isEmpty()) {
            throw new IllegalArgumentException(what + " cannot be masked with a replacement, only a text or number can");
        }
        return nothing;
    }

    private <T> T number(Function<String, T> parse, String what) {
        try {
            return parse.apply(replacement.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the replacement '" + replacement + "' is not " + what, e);
        }
    }

    private static int scale(Schema schema) {
        String scale = schema.getParameters() == null ? null : schema.getParameters().get(Decimal.SCALE_FIELD);
        try {
            return Integer.parseInt(scale);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the schema of a decimal needs a whole number as its parameter 'scale'", e);
        }
    }

    private BigDecimal decimal(BigDecimal value, int scale) {
        try {
            return value.setScale(scale, RoundingMode.UNNECESSARY);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the replacement '" + replacement + "' is not a decimal of scale " + scale, e);
        }
    }
}
