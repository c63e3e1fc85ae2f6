package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.logical.Decimal;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Date;

/** The codecs of decimals, dates, times and timestamps. */
abstract class LogicalCodec extends Codec {

    private static final long MILLIS_PER_DAY = 86_400_000;

    private LogicalCodec(Schema schema, boolean replaceNull) {
        super(schema, replaceNull);
    }

    static Codec of(LogicalType type, Schema schema, Settings settings) {
        return switch (type) {
            case DECIMAL -> new OfDecimal(schema, settings.replaceNull(), settings.numericDecimals());
            case DATE, TIME, TIMESTAMP -> new OfInstant(type, schema, settings.replaceNull());
        };
    }

    private static final class OfDecimal extends LogicalCodec {

        private final int scale;
        private final boolean numeric;

        OfDecimal(Schema schema, boolean replaceNull, boolean numeric) {
            super(schema, replaceNull);
            this.scale = scale(schema);
            this.numeric = numeric;
        }

        private static int scale(Schema schema) {
            String scale = schema.getParameters() == null ? null : schema.getParameters().get(Decimal.SCALE_FIELD);
            try {
                return Integer.parseInt(scale);
            } catch (NumberFormatException e) {
                throw new DataProblem("expected a schema of a decimal with a whole number as its parameter 'scale'", e);
            }
        }

        @Override
        String what() {
            return "a decimal of scale " + scale;
        }

        @Override
        void writeValue(JsonGenerator out, Object value) throws IOException {
            if (!(value instanceof BigDecimal given)) {
                throw DataProblem.expected(what(), value);
            }
            BigDecimal decimal = Numbers.rescale(given, scale);
            if (numeric) {
                out.writeNumber(decimal);
            } else {
                out.writeBinary(decimal.unscaledValue().toByteArray());
            }
        }

        @Override
        Object readValue(JsonParser in) throws IOException {
            if (in.currentToken().isNumeric()) {
                return Numbers.rescale(Numbers.decimal(in, what()), scale);
            }
            if (in.currentToken() != JsonToken.VALUE_STRING) {
                throw DataProblem.expected(what() + ", as a number or in base64", in.currentToken());
            }
            byte[] bytes = ScalarCodec.OfBytes.readBytes(in, what() + ", as a number or in base64");
            if (bytes.length == 0) {
                throw new DataProblem("expected " + what() + " in base64, found no bytes");
            }
            return new BigDecimal(new BigInteger(bytes), scale);
        }
    }

    /** Days since 1970, milliseconds since midnight or milliseconds since 1970, all UTC. */
    private static final class OfInstant extends LogicalCodec {

        private final LogicalType type;

        OfInstant(LogicalType type, Schema schema, boolean replaceNull) {
            super(schema, replaceNull);
            this.type = type;
        }

        @Override
        String what() {
            return switch (type) {
                case DATE -> "a date in whole days since 1970";
                case TIME -> "a time of day in milliseconds from 0 to " + MILLIS_PER_DAY;
                default -> "a timestamp in milliseconds since 1970";
            };
        }

        @Override
        void writeValue(JsonGenerator out, Object value) throws IOException {
            if (!(value instanceof Date date)) {
                throw DataProblem.expected(what(), value);
            }
            long millis = date.getTime();
            switch (type) {
                case DATE -> {
                    long days = Math.floorDiv(millis, MILLIS_PER_DAY);
                    if (days * MILLIS_PER_DAY != millis || days != (int) days) {
                        throw new DataProblem("expected " + what() + ", found a date with a time of day, or one too far away");
                    }
                    out.writeNumber((int) days);
                }
                case TIME -> {
                    if (millis < 0 || millis > MILLIS_PER_DAY) {
                        throw new DataProblem("expected " + what() + ", found one on another day");
                    }
                    out.writeNumber((int) millis);
                }
                default -> out.writeNumber(millis);
            }
        }

        @Override
        Object readValue(JsonParser in) throws IOException {
            return new Date(switch (type) {
                case DATE -> Numbers.whole(in, Integer.MIN_VALUE, Integer.MAX_VALUE, what()) * MILLIS_PER_DAY;
                case TIME -> Numbers.whole(in, 0, MILLIS_PER_DAY, what());
                default -> Numbers.whole(in, Long.MIN_VALUE, Long.MAX_VALUE, what());
            });
        }
    }
}
