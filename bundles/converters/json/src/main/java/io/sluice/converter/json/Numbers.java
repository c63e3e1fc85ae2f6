package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.io.NumberInput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers out of JSON without losing any of their digits. */
final class Numbers {

    /** Every decimal of at most this many digits, within the range of exponents that its text can show, is exact in a double. */
    private static final int DIGITS_OF_DOUBLE = 15;
    /** Beyond this, giving a decimal the scale of its schema would make a number as long as a book. */
    private static final long GREATEST_RESCALING = 10_000;

    private Numbers() {
    }

    /** A whole number between {@code min} and {@code max}; {@code 1.0} and {@code 1e3} are whole, {@code 1.5} is not. */
    static long whole(JsonParser in, long min, long max, String what) throws IOException {
        long value;
        if (in.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            try {
                value = in.getLongValue();
            } catch (InputCoercionException e) {
                throw new DataProblem("expected " + what + ", found a number that is out of its range", e);
            }
        } else if (in.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
            try {
                value = decimal(in, what).longValueExact();
            } catch (ArithmeticException e) {
                throw new DataProblem("expected " + what + ", found a number that is out of its range or not whole", e);
            }
        } else {
            throw DataProblem.expected(what, in.currentToken());
        }
        if (value < min || value > max) {
            throw new DataProblem("expected " + what + ", found a number that is out of its range");
        }
        return value;
    }

    /** A double; the strings that stand for what is no number in JSON are read as well. */
    static double float64(JsonParser in, String what) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_STRING) {
            return special(in, what);
        }
        double value = NumberInput.parseDouble(numberText(in, what), true);
        if (Double.isInfinite(value)) {
            throw new DataProblem("expected " + what + ", found a number that is out of its range");
        }
        return value;
    }

    /** A float, rounded once from the decimal text. */
    static float float32(JsonParser in, String what) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_STRING) {
            return (float) special(in, what);
        }
        float value = NumberInput.parseFloat(numberText(in, what), true);
        if (Float.isInfinite(value)) {
            throw new DataProblem("expected " + what + ", found a number that is out of its range");
        }
        return value;
    }

    private static String numberText(JsonParser in, String what) throws IOException {
        if (!in.currentToken().isNumeric()) {
            throw DataProblem.expected(what, in.currentToken());
        }
        return in.getText();
    }

    private static double special(JsonParser in, String what) throws IOException {
        return switch (in.getText()) {
            case "NaN" -> Double.NaN;
            case "Infinity", "+Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> throw DataProblem.expected(what, JsonToken.VALUE_STRING);
        };
    }

    /** A number with all its digits. */
    static BigDecimal decimal(JsonParser in, String what) throws IOException {
        try {
            return in.getDecimalValue();
        } catch (NumberFormatException e) {
            throw new DataProblem("expected " + what + ", found a number with an exponent that nothing can hold", e);
        }
    }

    /** {@code value} with exactly {@code scale} digits after the point. @throws DataProblem if that would drop digits */
    static BigDecimal rescale(BigDecimal value, int scale) {
        if (value.scale() == scale) {
            return value;
        }
        if (Math.abs((long) value.scale() - scale) > GREATEST_RESCALING && value.signum() != 0) {
            throw new DataProblem("expected a decimal of scale " + scale + ", found one of scale " + value.scale());
        }
        try {
            return value.setScale(scale);
        } catch (ArithmeticException e) {
            throw new DataProblem("expected a decimal of scale " + scale + ", found one of scale " + value.scale(), e);
        }
    }

    /** A number without a schema: Long or BigInteger if it is whole, else Double, or BigDecimal where a double would lose digits. */
    static Number any(JsonParser in) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return in.getNumberType() == JsonParser.NumberType.BIG_INTEGER ? in.getBigIntegerValue() : (Number) in.getLongValue();
        }
        String text = in.getText();
        double value = NumberInput.parseDouble(text, true);
        if (text.length() <= DIGITS_OF_DOUBLE && text.indexOf('e') < 0 && text.indexOf('E') < 0) {
            return value;
        }
        BigDecimal exact = decimal(in, "a number");
        boolean held = !Double.isInfinite(value) && shows(value, exact);
        return held ? (Number) value : exact;
    }

    /** True if {@code text} is what one gets who writes {@code value} with as many digits, as programs that print doubles do. */
    private static boolean shows(double value, BigDecimal text) {
        return new BigDecimal(value).round(new MathContext(text.precision(), RoundingMode.HALF_EVEN)).compareTo(text) == 0
            // Before Java 19 the last digit was not always the nearest one.
            || new BigDecimal(Double.toString(value)).compareTo(text) == 0;
    }
}
