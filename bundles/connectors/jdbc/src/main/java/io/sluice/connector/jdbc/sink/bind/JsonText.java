package io.sluice.connector.jdbc.sink.bind;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.sluice.connector.jdbc.sink.dialect.ValueType;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * Writes structs, maps and lists as JSON. Numbers have all their digits; bytes are base64; dates, times and timestamps are ISO 8601 in
 * UTC; NaN and the infinities are strings; a map whose keys are no single values is a list of pairs.
 */
final class JsonText {

    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonText() {
    }

    /**
     * @param schema null if there is none
     * @throws DataProblem if a value is of a kind that JSON has no form for
     */
    static String of(Schema schema, Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            write(out, schema, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator out, Schema schema, Object value) throws IOException {
        if (value == null) {
            out.writeNull();
            return;
        }
        Object plain = Plain.of(ValueType.of(schema), value);
        if (plain instanceof Struct struct) {
            out.writeStartObject();
            for (Field field : struct.schema().getFields()) {
                out.writeFieldName(field.getName());
                write(out, field.getSchema(), struct.get(field));
            }
            out.writeEndObject();
        } else if (plain instanceof Map<?, ?> map) {
            writeMap(out, schema, map);
        } else if (plain instanceof List<?> list) {
            out.writeStartArray();
            for (Object element : list) {
                write(out, schema == null ? null : schema.getValueSchema(), element);
            }
            out.writeEndArray();
        } else {
            writeSingle(out, plain);
        }
    }

    private static void writeMap(JsonGenerator out, Schema schema, Map<?, ?> map) throws IOException {
        Schema keys = schema == null ? null : schema.getKeySchema();
        Schema values = schema == null ? null : schema.getValueSchema();
        boolean named = map.keySet().stream().allMatch(key -> key instanceof CharSequence || key instanceof Number || key instanceof Boolean);
        if (named) {
            out.writeStartObject();
        } else {
            out.writeStartArray();
        }
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (named) {
                out.writeFieldName(entry.getKey().toString());
                write(out, values, entry.getValue());
            } else {
                out.writeStartArray();
                write(out, keys, entry.getKey());
                write(out, values, entry.getValue());
                out.writeEndArray();
            }
        }
        if (named) {
            out.writeEndObject();
        } else {
            out.writeEndArray();
        }
    }

    private static void writeSingle(JsonGenerator out, Object value) throws IOException {
        if (value instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (value instanceof Long number) {
            out.writeNumber(number);
        } else if (value instanceof BigDecimal decimal) {
            // Not written out: an exponent of a million would be a million zeros.
            out.writeNumber(decimal.toString());
        } else if (value instanceof Double number && Double.isFinite(number)) {
            out.writeNumber(number);
        } else if (value instanceof Float number && Float.isFinite(number)) {
            out.writeNumber(number);
        } else if (value instanceof byte[] bytes) {
            out.writeBinary(bytes);
        } else {
            out.writeString(value.toString());
        }
    }
}
