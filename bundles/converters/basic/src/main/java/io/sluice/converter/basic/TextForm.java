package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.Struct;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The text form of values that are not text: that of {@code toString()}, except where that would say nothing.
 *
 * <p>Bytes are written in base64. A struct looks as in Kafka Connect, {@code Struct{id=7,name=Ann}} without the fields that are null;
 * OpenMessaging's own form names each field twice.
 */
final class TextForm {

    private TextForm() {
    }

    static String of(Object value) {
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
        if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return of(bytes);
        }
        if (value instanceof Struct struct) {
            return struct.schema().getFields().stream()
                .filter(field -> valueOf(struct, field) != null)
                .map(field -> field.getName() + "=" + of(valueOf(struct, field)))
                .collect(Collectors.joining(",", "Struct{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(TextForm::of).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().map(entry -> of(entry.getKey()) + "=" + of(entry.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
        }
        return String.valueOf(value);
    }

    private static Object valueOf(Struct struct, Field field) {
        return struct.getValues()[field.getIndex()];
    }
}
