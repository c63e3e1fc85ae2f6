package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.openmessaging.connector.api.data.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A list as an array. */
final class ArrayCodec extends Codec {

    private final Codec items;

    ArrayCodec(Schema schema, Settings settings) {
        super(schema, settings.replaceNull());
        try {
            this.items = Codecs.of(schema.getValueSchema(), settings);
        } catch (DataProblem e) {
            throw e.in("items");
        }
    }

    @Override
    String what() {
        return "an ARRAY";
    }

    @Override
    void writeValue(JsonGenerator out, Object value) throws IOException {
        if (!(value instanceof Collection<?> list)) {
            throw DataProblem.expected(what(), value);
        }
        out.writeStartArray();
        int index = 0;
        for (Object item : list) {
            try {
                items.write(out, item);
            } catch (DataProblem e) {
                throw e.at(index);
            }
            index++;
        }
        out.writeEndArray();
    }

    @Override
    Object readValue(JsonParser in) throws IOException {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            throw DataProblem.expected(what(), in.currentToken());
        }
        List<Object> list = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            try {
                list.add(items.read(in));
            } catch (DataProblem e) {
                throw e.at(list.size());
            }
        }
        return list;
    }
}
