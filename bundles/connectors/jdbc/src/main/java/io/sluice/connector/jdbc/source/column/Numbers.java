package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.SchemaBuilder;
import io.sluice.connector.jdbc.db.SchemaNames;
import java.math.BigDecimal;
import java.util.function.Function;

/** Decimal numbers as the user wants them, exact. */
final class Numbers {

    private static final int INT8_DIGITS = 2;
    private static final int INT16_DIGITS = 4;
    private static final int INT32_DIGITS = 9;
    private static final int INT64_DIGITS = 18;
    /** So many decimal digits come back from a double as they were. */
    private static final int DOUBLE_DIGITS = 15;

    private final MappingOptions options;

    Numbers(MappingOptions options) {
        this.options = options;
    }

    /** A type with a schema and the way to its values. */
    record Numeric(SchemaBuilder schema, Function<BigDecimal, Object> convert) {
    }

    /** @param precision the greatest number of digits; 0 if the type does not say */
    Numeric decimal(int precision, int scale) {
        if (options.numeric() != MappingOptions.Numeric.NONE && precision > 0) {
            if (scale <= 0 && precision - scale <= INT64_DIGITS) {
                return whole(precision - scale);
            }
            if (options.numeric() == MappingOptions.Numeric.BEST_FIT && scale > 0 && precision <= DOUBLE_DIGITS) {
                return new Numeric(SchemaBuilder.float64(), BigDecimal::doubleValue);
            }
        }
        return exact(precision, scale);
    }

    private static Numeric whole(int digits) {
        return digits <= INT8_DIGITS ? new Numeric(SchemaBuilder.int8(), BigDecimal::byteValueExact)
            : digits <= INT16_DIGITS ? new Numeric(SchemaBuilder.int16(), BigDecimal::shortValueExact)
            : digits <= INT32_DIGITS ? new Numeric(SchemaBuilder.int32(), BigDecimal::intValueExact)
            : new Numeric(SchemaBuilder.int64(), BigDecimal::longValueExact);
    }

    /** A negative scale means zeros before the point; they are written out. */
    static Numeric exact(int precision, int scale) {
        int kept = Math.max(0, scale);
        SchemaBuilder schema = SchemaBuilder.decimal(kept);
        if (precision > 0) {
            schema.parameter(SchemaNames.DECIMAL_PRECISION, Integer.toString(precision + kept - scale));
        }
        return new Numeric(schema, value -> rescaled(value, kept));
    }

    static BigDecimal rescaled(BigDecimal value, int scale) {
        if (value.scale() == scale) {
            return value;
        }
        try {
            return value.setScale(scale);
        } catch (ArithmeticException e) {
            throw new ValueProblem("the number " + value + " has more than " + scale + " digits behind the point", e);
        }
    }

    /** True if numbers without a scale of their type's become decimals of one scale, not text. */
    boolean hasUnscaledScale() {
        return options.unscaledScale() >= 0;
    }

    /** A type whose values have each a scale of their own. */
    Numeric unscaled() {
        return hasUnscaledScale() ? new Numeric(SchemaBuilder.decimal(options.unscaledScale()), this::atUnscaledScale)
            : new Numeric(SchemaBuilder.string().name(SchemaNames.NUMBER_TEXT), BigDecimal::toString);
    }

    private Object atUnscaledScale(BigDecimal value) {
        try {
            return value.setScale(options.unscaledScale());
        } catch (ArithmeticException e) {
            throw new ValueProblem("the number " + value + " has more than " + options.unscaledScale()
                + " digits behind the point; raise 'numeric.unscaled.scale', or leave it away to get such numbers as text", e);
        }
    }
}
