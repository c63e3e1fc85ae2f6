package io.sluice.transforms.record;

import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** New struct schemas out of given ones. The given ones are not touched: other records share them. */
public final class StructSchemas {

    private StructSchemas() {
    }

    /**
     * A schema that is like {@code base} but has these fields, numbered in this order. It has no default value: the one of
     * {@code base} has other fields.
     */
    public static Schema withFields(Schema base, List<Field> fields) {
        List<Field> numbered = new ArrayList<>(fields.size());
        for (Field field : fields) {
            numbered.add(new Field(numbered.size(), field.getName(), field.getSchema()));
        }
        return new Schema(base.getName(), FieldType.STRUCT, base.isOptional(), null, base.getVersion(), base.getDoc(), numbered, null, null,
            base.getParameters());
    }

    /**
     * A schema that has the fields of {@code base}, in the order of their numbers, and more behind them.
     *
     * @throws IllegalArgumentException if it has a field of such a name already
     */
    public static Schema withMoreFields(Schema base, List<Field> more) {
        List<Field> fields = new ArrayList<>(base.getFields());
        fields.sort((a, b) -> Integer.compare(a.getIndex(), b.getIndex()));
        Set<String> names = fields.stream().map(Field::getName).collect(Collectors.toSet());
        for (Field field : more) {
            if (!names.add(field.getName())) {
                throw new IllegalArgumentException("there is a field '" + field.getName() + "' already");
            }
            fields.add(field);
        }
        return withFields(base, fields);
    }
}
