package io.sluice.connector.jdbc.sink.bind;

import java.math.BigDecimal;
import java.time.Instant;

/** Plain values as numbers and booleans, exactly or not at all. */
final class Numeric {

    private Numeric() {
    }

    /** A {@code Long}, or a {@code BigDecimal} beyond 64 bits. */
    static Object whole(Object value) {
        if (value instanceof Long) {
            return value;
        }
        if (value instanceof Boolean truth) {
            return truth ? 1L : 0L;
        }
        if (value instanceof Instant instant) {
            return instant.toEpochMilli();
        }
        BigDecimal decimal = exact(value, Target.WHOLE);
        if (decimal.signum() != 0 && decimal.stripTrailingZeros().scale() > 0) {
            throw DataProblem.unfit(value, Target.WHOLE);
        }
        // Beyond 19 digits it cannot be a long; a huge exponent must not be written out to find that.
        if (decimal.precision() - decimal.scale() > 100) {
            throw DataProblem.unfit(value, Target.WHOLE);
        }
        BigDecimal plain = decimal.setScale(0);
        return plain.precision() <= 18 ? (Object) plain.longValueExact() : (Object) plain;
    }

    /** A {@code Long} or {@code BigDecimal}. */
    static Object decimal(Object value) {
        if (value instanceof Long) {
            return value;
        }
        if (value instanceof Boolean truth) {
            return truth ? 1L : 0L;
        }
        return exact(value, Target.DECIMAL);
    }

    private static BigDecimal exact(Object value, Target target) {
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        boolean number = value instanceof Double d && Double.isFinite(d) || value instanceof Float f && Float.isFinite(f);
        if (number || value instanceof String) {
            try {
                return new BigDecimal(value.toString().trim());
            } catch (NumberFormatException e) {
                throw new DataProblem(Plain.describe(value) + " is no number", e);
            }
        }
        throw DataProblem.unfit(value, target);
    }

    /** A {@code Float}, {@code Double}, {@code Long} or {@code BigDecimal}. */
    static Object floating(Object value, Target target) {
        if (value instanceof Float single) {
            return target == Target.FLOAT ? (Object) single : (Object) single.doubleValue();
        }
        if (value instanceof Double || value instanceof Long || value instanceof BigDecimal) {
            return value;
        }
        if (value instanceof String text) {
            try {
                return Double.valueOf(text.trim());
            } catch (NumberFormatException e) {
                throw new DataProblem(Plain.describe(value) + " is no number", e);
            }
        }
        throw DataProblem.unfit(value, target);
    }

    static Boolean bool(Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        }
        String text = value instanceof String || value instanceof Long || value instanceof BigDecimal ? value.toString().trim() : "";
        return switch (text.toLowerCase(java.util.Locale.ROOT)) {
            case "1", "true", "t" -> true;
            case "0", "false", "f" -> false;
            default -> throw DataProblem.unfit(value, Target.BOOLEAN);
        };
    }
}
