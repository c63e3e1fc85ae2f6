package io.sluice.transforms;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.Config;
import io.sluice.spi.data.SchemaCache;
import io.sluice.transforms.record.FieldTransform;
import io.sluice.transforms.record.Required;
import io.sluice.transforms.record.Side;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Masks fields, with the keys and the meaning of Kafka Connect's MaskField: plugin {@code mask-field} for the value of a record,
 * {@code mask-field-key} for its key.
 *
 * <p>What goes beyond: bytes can be masked (by no bytes), a decimal's nothing has the scale of its schema, and a map that lacks a
 * field does not get it.
 */
public abstract class MaskField extends FieldTransform {

    private Set<String> fields = Set.of();
    private Mask mask;
    private SchemaCache<List<Masked>> plans;

    /** A field of a schema and what is put there. */
    private record Masked(int index, Object content) {
    }

    /** Masks fields of a record's key. */
    @ConnectPlugin(name = "mask-field-key", kind = PluginKind.TRANSFORM, configuration = MaskFieldConfig.class,
        description = "Replaces the content of fields of the key by nothing or by a given text or number")
    public static class Key extends MaskField {

        public Key() {
            super(Side.KEY, "mask-field-key");
        }
    }

    /** Masks fields of a record's value. */
    @ConnectPlugin(name = "mask-field", kind = PluginKind.TRANSFORM, configuration = MaskFieldConfig.class,
        description = "Replaces the content of fields of the value by nothing or by a given text or number")
    public static class Value extends MaskField {

        public Value() {
            super(Side.VALUE, "mask-field");
        }
    }

    MaskField(Side side, String name) {
        super(side, name);
    }

    @Override
    protected void configure(KeyValue given) {
        Required.text(given, "fields", "the names of the fields to mask");
        MaskFieldConfig config = Config.of(given, MaskFieldConfig.class);
        fields = new LinkedHashSet<>(List.of(config.fields()));
        mask = new Mask(config.replacement());
        plans = new SchemaCache<>(SCHEMAS_TO_REMEMBER, this::plan);
    }

    private List<Masked> plan(Schema schema) {
        List<Masked> plan = new ArrayList<>();
        for (Field field : schema.getFields()) {
            if (fields.contains(field.getName())) {
                try {
                    plan.add(new Masked(field.getIndex(), mask.of(field.getSchema())));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("field '" + field.getName() + "': " + e.getMessage(), e);
                }
            }
        }
        return plan;
    }

    @Override
    protected Struct apply(ConnectRecord record, Struct struct) {
        Struct masked = new Struct(struct.schema());
        Object[] values = struct.getValues().clone();
        for (Masked field : plans.get(struct.schema())) {
            if (values[field.index()] != null) {
                values[field.index()] = field.content();
            }
        }
        masked.setValues(values);
        return masked;
    }

    @Override
    protected Map<String, Object> apply(ConnectRecord record, Map<String, Object> map) {
        Map<String, Object> masked = new LinkedHashMap<>(map);
        for (String field : fields) {
            Object value = masked.get(field);
            if (value != null) {
                try {
                    masked.put(field, mask.of(value));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("field '" + field + "': " + e.getMessage(), e);
                }
            }
        }
        return masked;
    }
}
