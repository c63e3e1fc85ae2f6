package io.sluice.converter.json;

import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.Schema;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Whether two schemas say the same. {@code Schema.equals} does not do: it holds two defaults that are byte arrays for different, and no
 * parameters for something else than an empty map of them.
 */
final class SchemaEquality {

    private SchemaEquality() {
    }

    static boolean same(Schema a, Schema b) {
        if (a == b) {
            return true;
        }
        return a != null && b != null
            && a.getFieldType() == b.getFieldType()
            && a.isOptional() == b.isOptional()
            && Objects.equals(a.getName(), b.getName())
            && Objects.equals(a.getVersion(), b.getVersion())
            && Objects.equals(a.getDoc(), b.getDoc())
            && parameters(a).equals(parameters(b))
            && Objects.deepEquals(a.getDefaultValue(), b.getDefaultValue())
            && same(a.getKeySchema(), b.getKeySchema())
            && same(a.getValueSchema(), b.getValueSchema())
            && same(a.getFields(), b.getFields());
    }

    private static boolean same(List<Field> a, List<Field> b) {
        if (a == null || b == null) {
            return a == b;
        }
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            Field left = a.get(i);
            Field right = b.get(i);
            if (left.getIndex() != right.getIndex() || !Objects.equals(left.getName(), right.getName())
                || !same(left.getSchema(), right.getSchema())) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, String> parameters(Schema schema) {
        return schema.getParameters() == null ? Map.of() : schema.getParameters();
    }
}
