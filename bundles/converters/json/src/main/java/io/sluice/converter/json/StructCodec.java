package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.SerializedString;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A struct as an object. Fields are written in the order of the schema and read in any; fields that the schema lacks are skipped. */
final class StructCodec extends Codec {

    private final Schema schema;
    private final SerializedString[] names;
    private final Codec[] codecs;
    private final int[] indexes;
    private final Map<String, Integer> positions;
    /** The last schema other than ours that was found to be equal to it. */
    private Schema equal;

    StructCodec(Schema schema, Settings settings) {
        super(schema, settings.replaceNull());
        this.schema = schema;
        List<Field> fields = schema.getFields();
        this.names = new SerializedString[fields.size()];
        this.codecs = new Codec[fields.size()];
        this.indexes = new int[fields.size()];
        this.positions = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            Field field = fields.get(i);
            if (field.getIndex() < 0 || field.getIndex() >= names.length || positions.put(field.getName(), i) != null) {
                throw new DataProblem("expected a schema whose fields are numbered from 0 and differ in name").in(field.getName());
            }
            names[i] = encoded(field.getName());
            indexes[i] = field.getIndex();
            try {
                codecs[i] = Codecs.of(field.getSchema(), settings);
            } catch (DataProblem e) {
                throw e.in(field.getName());
            }
        }
    }

    private static SerializedString encoded(String name) {
        SerializedString encoded = new SerializedString(name);
        try {
            encoded.asQuotedUTF8();
            return encoded;
        } catch (IllegalArgumentException e) {
            throw new DataProblem("expected a field name that is text, found one with half a surrogate pair", e).in(name);
        }
    }

    @Override
    String what() {
        return schema.getName() == null ? "a STRUCT" : "a STRUCT " + schema.getName();
    }

    @Override
    void writeValue(JsonGenerator out, Object value) throws IOException {
        if (!(value instanceof Struct struct)) {
            throw DataProblem.expected(what(), value);
        }
        if (struct.schema() != schema && struct.schema() != equal) {
            if (!SchemaEquality.same(schema, struct.schema())) {
                throw new DataProblem("expected " + what() + ", found a struct with another schema");
            }
            equal = struct.schema();
        }
        Object[] values = struct.getValues();
        out.writeStartObject();
        for (int i = 0; i < codecs.length; i++) {
            out.writeFieldName(names[i]);
            try {
                codecs[i].write(out, values[indexes[i]]);
            } catch (DataProblem e) {
                throw e.in(names[i].getValue());
            }
        }
        out.writeEndObject();
    }

    @Override
    Object readValue(JsonParser in) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw DataProblem.expected(what() + " as an object", in.currentToken());
        }
        Struct struct = new Struct(schema);
        Object[] values = struct.getValues();
        boolean[] seen = new boolean[codecs.length];
        int next = 0;
        while (true) {
            // Who wrote it most likely kept the order: then the name is compared as bytes and never decoded.
            int position = next;
            if (next == codecs.length || !in.nextFieldName(names[next])) {
                if ((next == codecs.length ? in.nextToken() : in.currentToken()) == JsonToken.END_OBJECT) {
                    break;
                }
                position = positions.getOrDefault(in.currentName(), -1);
            }
            in.nextToken();
            if (position < 0) {
                in.skipChildren();
                continue;
            }
            try {
                values[indexes[position]] = codecs[position].read(in);
            } catch (DataProblem e) {
                throw e.in(names[position].getValue());
            }
            seen[position] = true;
            next = position + 1;
        }
        for (int i = 0; i < seen.length; i++) {
            if (!seen[i]) {
                try {
                    values[indexes[i]] = codecs[i].readNull();
                } catch (DataProblem e) {
                    throw e.in(names[i].getValue());
                }
            }
        }
        return struct;
    }
}
