package io.sluice.converter.json;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Schemas and values in a form in which equal means equal, bytes and defaults included, and which reads well when a test fails. */
final class Canonical {

    private Canonical() {
    }

    /** @param replaceNull whether a null in a struct, list or map stands for the default of its schema */
    static Object of(Schema schema, Object value, boolean replaceNull) {
        if (value == null) {
            boolean replace = schema != null && schema.getDefaultValue() != null && (replaceNull || !schema.isOptional());
            return replace ? of(schema, schema.getDefaultValue(), replaceNull) : null;
        }
        if (value instanceof byte[] bytes) {
            return "0x" + HexFormat.of().formatHex(bytes);
        }
        if (value instanceof ByteBuffer buffer) {
            return of(schema, ScalarCodec.OfBytes.bytes(buffer), replaceNull);
        }
        if (value instanceof Struct struct) {
            List<Object> fields = new ArrayList<>();
            struct.schema().getFields().forEach(field -> fields.add(List.of(field.getName(),
                orNull(of(field.getSchema(), struct.getValues()[field.getIndex()], replaceNull)))));
            return fields;
        }
        if (value instanceof List<?> list) {
            List<Object> items = new ArrayList<>();
            list.forEach(item -> items.add(orNull(of(schema == null ? null : schema.getValueSchema(), item, replaceNull))));
            return items;
        }
        if (value instanceof Map<?, ?> map) {
            List<Object> entries = new ArrayList<>();
            map.forEach((key, item) -> entries.add(List.of(
                orNull(of(schema == null ? null : schema.getKeySchema(), key, replaceNull)),
                orNull(of(schema == null ? null : schema.getValueSchema(), item, replaceNull)))));
            return List.of("map", entries);
        }
        return List.of(value.getClass().getSimpleName(), value);
    }

    /** @param replaceNull whether a null within a default value stands for the default of its own schema */
    static Object of(Schema schema, boolean replaceNull) {
        if (schema == null) {
            return "none";
        }
        List<Object> fields = new ArrayList<>();
        if (schema.getFields() != null) {
            schema.getFields().forEach(field -> fields.add(List.of(field.getIndex(), field.getName(), of(field.getSchema(), replaceNull))));
        }
        return List.of(schema.getFieldType(), schema.isOptional(), orNull(schema.getName()), orNull(schema.getVersion()),
            orNull(schema.getDoc()), orNull(schema.getParameters()), schema.getDefaultValue() == null ? "null" : of(schema, schema.getDefaultValue(), replaceNull), fields,
            of(schema.getKeySchema(), replaceNull), of(schema.getValueSchema(), replaceNull));
    }

    private static Object orNull(Object value) {
        return value == null ? "null" : value;
    }
}
