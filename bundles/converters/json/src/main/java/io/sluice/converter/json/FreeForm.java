package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Values without a schema: what their Java type says is what is written, what the JSON says is what is read.
 *
 * <p>Some types come back as others, since JSON has no more than it has: bytes as base64 text, dates as milliseconds since 1970, structs as
 * maps, maps with keys other than strings as lists of pairs, NaN and the infinities as text. No digit of a number is lost.
 */
final class FreeForm {

    private final Function<Schema, Codec> codecs;

    /** @param codecs finds the codec of a struct that is met on the way */
    FreeForm(Function<Schema, Codec> codecs) {
        this.codecs = codecs;
    }

    void write(JsonGenerator out, Object value) throws IOException {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof String text) {
            out.writeString(text);
        } else if (value instanceof Number number) {
            writeNumber(out, number);
        } else if (value instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (value instanceof Map<?, ?> map) {
            writeMap(out, map);
        } else if (value instanceof Collection<?> list) {
            writeList(out, list);
        } else if (value instanceof Struct struct) {
            codecs.apply(struct.schema()).write(out, struct);
        } else if (value instanceof byte[] bytes) {
            out.writeBinary(bytes);
        } else if (value instanceof ByteBuffer buffer) {
            out.writeBinary(ScalarCodec.OfBytes.bytes(buffer));
        } else if (value instanceof Date date) {
            out.writeNumber(date.getTime());
        } else {
            throw DataProblem.expected("a value of a type that records may hold", value);
        }
    }

    private static void writeNumber(JsonGenerator out, Number number) throws IOException {
        if (number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte) {
            out.writeNumber(number.longValue());
        } else if (number instanceof Double) {
            out.writeNumber(number.doubleValue());
        } else if (number instanceof Float) {
            out.writeNumber(number.floatValue());
        } else if (number instanceof BigDecimal decimal) {
            out.writeNumber(decimal);
        } else if (number instanceof BigInteger integer) {
            out.writeNumber(integer);
        } else {
            throw DataProblem.expected("a number of a type that records may hold", number);
        }
    }

    private void writeList(JsonGenerator out, Collection<?> list) throws IOException {
        out.writeStartArray();
        int index = 0;
        for (Object item : list) {
            try {
                write(out, item);
            } catch (DataProblem e) {
                throw e.at(index);
            }
            index++;
        }
        out.writeEndArray();
    }

    private void writeMap(JsonGenerator out, Map<?, ?> map) throws IOException {
        if (map.keySet().stream().allMatch(String.class::isInstance)) {
            out.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.writeFieldName((String) entry.getKey());
                writeEntryValue(out, entry);
            }
            out.writeEndObject();
            return;
        }
        out.writeStartArray();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.writeStartArray();
            write(out, entry.getKey());
            writeEntryValue(out, entry);
            out.writeEndArray();
        }
        out.writeEndArray();
    }

    private void writeEntryValue(JsonGenerator out, Map.Entry<?, ?> entry) throws IOException {
        try {
            write(out, entry.getValue());
        } catch (DataProblem e) {
            throw e.under(entry.getKey());
        }
    }

    /** Reads the value whose first token is the parser's current one, and leaves the parser at its last. */
    Object read(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> in.getText();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Numbers.any(in);
            case START_ARRAY -> readList(in);
            case START_OBJECT -> readMap(in);
            default -> throw DataProblem.expected("a value", in.currentToken());
        };
    }

    private List<Object> readList(JsonParser in) throws IOException {
        List<Object> list = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            try {
                list.add(read(in));
            } catch (DataProblem e) {
                throw e.at(list.size());
            }
        }
        return list;
    }

    private Map<String, Object> readMap(JsonParser in) throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        for (String key = in.nextFieldName(); key != null; key = in.nextFieldName()) {
            in.nextToken();
            try {
                map.put(key, read(in));
            } catch (DataProblem e) {
                throw e.in(key);
            }
        }
        return map;
    }
}
