package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.openmessaging.connector.api.data.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The codecs of the types that have one JSON value and no other meaning than their type. */
abstract class ScalarCodec extends Codec {

    private final String what;

    private ScalarCodec(Schema schema, boolean replaceNull, String what) {
        super(schema, replaceNull);
        this.what = what;
    }

    @Override
    final String what() {
        return what;
    }

    final DataProblem unfit(Object value) {
        return DataProblem.expected(what, value);
    }

    static final class OfBoolean extends ScalarCodec {

        OfBoolean(Schema schema, boolean replaceNull) {
            super(schema, replaceNull, "a BOOLEAN");
        }

        @Override
        void writeValue(JsonGenerator out, Object value) throws IOException {
            if (!(value instanceof Boolean truth)) {
                throw unfit(value);
            }
            out.writeBoolean(truth);
        }

        @Override
        Object readValue(JsonParser in) throws IOException {
            return switch (in.currentToken()) {
                case VALUE_TRUE -> true;
                case VALUE_FALSE -> false;
                default -> throw DataProblem.expected(what(), in.currentToken());
            };
        }
    }

    /** Integers of 8, 16, 32 and 64 bits. */
    static final class OfInteger extends ScalarCodec {

        private final int bits;
        private final long min;
        private final long max;

        OfInteger(Schema schema, boolean replaceNull, int bits) {
            super(schema, replaceNull, "an INT" + bits);
            this.bits = bits;
            this.max = Long.MAX_VALUE >> Long.SIZE - bits;
            this.min = -max - 1;
        }

        @Override
        void writeValue(JsonGenerator out, Object value) throws IOException {
            if (bits == 64 && value instanceof Long number) {
                out.writeNumber(number.longValue());
            } else if (bits == 32 && value instanceof Integer number) {
                out.writeNumber(number.intValue());
            } else if (bits == 16 && value instanceof Short number) {
                out.writeNumber(number.shortValue());
            } else if (bits == 8 && value instanceof Byte number) {
                out.writeNumber(number.shortValue());
            } else {
                throw unfit(value);
            }
        }

        @Override
        Object readValue(JsonParser in) throws IOException {
            long value = Numbers.whole(in, min, max, what());
            return switch (bits) {
                case 8 -> (Object) (byte) value;
                case 16 -> (Object) (short) value;
                case 32 -> (Object) (int) value;
                default -> (Object) value;
            };
        }
    }

    static final class OfFloat extends ScalarCodec {

        OfFloat(Schema schema, boolean replaceNull) {
            super(schema, replaceNull, "a FLOAT32");
        }

        @Override
        void writeValue(JsonGenerator out, Object value) throws IOException {
            if (!(value instanceof Float number)) {
                throw unfit(value);
            }
            out.writeNumber(number.floatValue());
        }

        @Override
        Object readValue(JsonParser in) throws IOException {
            return Numbers.float32(in, what());
        }
    }

    static final class OfDouble extends ScalarCodec {

        OfDouble(Schema schema, boolean replaceNull) {
            super(schema, replaceNull, "a FLOAT64");
        }

        @Override
        void writeValue(JsonGenerator out, Object value) throws IOException {
            if (!(value instanceof Double number)) {
                throw unfit(value);
            }
            out.writeNumber(number.doubleValue());
        }

        @Override
        Object readValue(JsonParser in) throws IOException {
            return Numbers.float64(in, what());
        }
    }

    static final class OfString extends ScalarCodec {

        OfString(Schema schema, boolean replaceNull) {
            super(schema, replaceNull, "a STRING");
        }

        @Override
        void writeValue(JsonGenerator out, Object value) throws IOException {
            if (!(value instanceof String text)) {
                throw unfit(value);
            }
            out.writeString(text);
        }

        @Override
        Object readValue(JsonParser in) throws IOException {
            if (in.currentToken() != JsonToken.VALUE_STRING) {
                throw DataProblem.expected(what(), in.currentToken());
            }
            return in.getText();
        }
    }

    static final class OfBytes extends ScalarCodec {

        OfBytes(Schema schema, boolean replaceNull) {
            super(schema, replaceNull, "BYTES in base64");
        }

        @Override
        void writeValue(JsonGenerator out, Object value) throws IOException {
            if (value instanceof byte[] bytes) {
                out.writeBinary(bytes);
            } else if (value instanceof ByteBuffer buffer) {
                out.writeBinary(bytes(buffer));
            } else {
                throw unfit(value);
            }
        }

        @Override
        Object readValue(JsonParser in) throws IOException {
            return readBytes(in, what());
        }

        static byte[] bytes(ByteBuffer buffer) {
            // The buffer's position belongs to whoever made the record; it may be converted again after a failed send.
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        }

        static byte[] readBytes(JsonParser in, String what) throws IOException {
            if (in.currentToken() != JsonToken.VALUE_STRING) {
                throw DataProblem.expected(what, in.currentToken());
            }
            try {
                return in.getBinaryValue();
            } catch (JsonParseException e) {
                throw new DataProblem("expected " + what + ", found a string that is not base64", e);
            }
        }
    }
}
