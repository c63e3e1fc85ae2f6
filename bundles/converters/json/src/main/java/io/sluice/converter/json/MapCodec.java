package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map with string keys as an object, another one as an array of pairs.
 *
 * <p>A map with string keys of which one is null is an array of pairs, too, since an object has no way to say so; both forms are read.
 */
final class MapCodec extends Codec {

    private final Codec keys;
    private final Codec values;
    private final boolean stringKeys;

    MapCodec(Schema schema, Settings settings) {
        super(schema, settings.replaceNull());
        if (hashesForever(schema.getKeySchema())) {
            // A struct hashes its schema, and that hashes its default, which is a struct with that schema.
            throw new DataProblem("expected map keys that can be looked up, found ones with a struct that has a default value").in("keys");
        }
        try {
            this.keys = Codecs.of(schema.getKeySchema(), settings);
        } catch (DataProblem e) {
            throw e.in("keys");
        }
        try {
            this.values = Codecs.of(schema.getValueSchema(), settings);
        } catch (DataProblem e) {
            throw e.in("values");
        }
        this.stringKeys = schema.getKeySchema().getFieldType() == FieldType.STRING;
    }

    private static boolean hashesForever(Schema schema) {
        return schema != null
            && (schema.getFieldType() == FieldType.STRUCT && schema.getDefaultValue() != null
            || hashesForever(schema.getKeySchema()) || hashesForever(schema.getValueSchema())
            || schema.getFields() != null && schema.getFields().stream().anyMatch(field -> hashesForever(field.getSchema())));
    }

    @Override
    String what() {
        return stringKeys ? "a MAP with string keys as an object" : "a MAP as an array of pairs";
    }

    @Override
    void writeValue(JsonGenerator out, Object value) throws IOException {
        if (!(value instanceof Map<?, ?> map)) {
            throw DataProblem.expected(what(), value);
        }
        if (stringKeys && map.keySet().stream().allMatch(String.class::isInstance)) {
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
            try {
                keys.write(out, entry.getKey());
            } catch (DataProblem e) {
                throw e.in("(key)");
            }
            writeEntryValue(out, entry);
            out.writeEndArray();
        }
        out.writeEndArray();
    }

    private void writeEntryValue(JsonGenerator out, Map.Entry<?, ?> entry) throws IOException {
        try {
            values.write(out, entry.getValue());
        } catch (DataProblem e) {
            throw e.under(entry.getKey());
        }
    }

    @Override
    Object readValue(JsonParser in) throws IOException {
        Map<Object, Object> map = new LinkedHashMap<>();
        if (stringKeys && in.currentToken() == JsonToken.START_OBJECT) {
            for (String key = in.nextFieldName(); key != null; key = in.nextFieldName()) {
                in.nextToken();
                map.put(key, readEntryValue(in, key));
            }
            return map;
        }
        if (in.currentToken() != JsonToken.START_ARRAY) {
            throw DataProblem.expected(what(), in.currentToken());
        }
        for (int index = 0; in.nextToken() != JsonToken.END_ARRAY; index++) {
            if (in.currentToken() != JsonToken.START_ARRAY) {
                throw DataProblem.expected("a pair of key and value as an array", in.currentToken()).at(index);
            }
            Object key = readKey(in, index);
            if (in.nextToken() == JsonToken.END_ARRAY) {
                throw new DataProblem("expected a pair of key and value, found one element").at(index);
            }
            Object value = readEntryValue(in, key);
            if (in.nextToken() != JsonToken.END_ARRAY) {
                throw new DataProblem("expected a pair of key and value, found more than two elements").at(index);
            }
            map.put(key, value);
        }
        return map;
    }

    private Object readKey(JsonParser in, int index) throws IOException {
        if (in.nextToken() == JsonToken.END_ARRAY) {
            throw new DataProblem("expected a pair of key and value, found no element").at(index);
        }
        try {
            return keys.read(in);
        } catch (DataProblem e) {
            throw e.at(0).at(index);
        }
    }

    private Object readEntryValue(JsonParser in, Object key) throws IOException {
        try {
            return values.read(in);
        } catch (DataProblem e) {
            throw e.under(key);
        }
    }
}
