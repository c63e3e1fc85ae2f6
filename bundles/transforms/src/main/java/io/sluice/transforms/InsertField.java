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
import io.sluice.transforms.record.Side;
import io.sluice.transforms.record.StructSchemas;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds fields with what is known about a record or with a fixed text, with the keys and the meaning of Kafka Connect's InsertField:
 * plugin {@code insert-field} for the value of a record, {@code insert-field-key} for its key.
 *
 * <p>Partition and offset are the queue and the queue offset that a sink record was read from; {@code broker.field}, which Kafka does
 * not have, adds the broker's name. A struct gets every field, a map only those that are known.
 */
public abstract class InsertField extends FieldTransform {

    private List<Insertion> insertions = List.of();
    private SchemaCache<Schema> schemas;

    /** Adds fields to a record's key. */
    @ConnectPlugin(name = "insert-field-key", kind = PluginKind.TRANSFORM, configuration = InsertFieldConfig.class,
        description = "Adds fields with topic, queue, offset, timestamp or a fixed text to the key")
    public static class Key extends InsertField {

        public Key() {
            super(Side.KEY, "insert-field-key");
        }
    }

    /** Adds fields to a record's value. */
    @ConnectPlugin(name = "insert-field", kind = PluginKind.TRANSFORM, configuration = InsertFieldConfig.class,
        description = "Adds fields with topic, queue, offset, timestamp or a fixed text to the value")
    public static class Value extends InsertField {

        public Value() {
            super(Side.VALUE, "insert-field");
        }
    }

    InsertField(Side side, String name) {
        super(side, name);
    }

    @Override
    protected void configure(KeyValue given) {
        insertions = Insertion.of(Config.of(given, InsertFieldConfig.class));
        schemas = new SchemaCache<>(SCHEMAS_TO_REMEMBER, this::extended);
    }

    private Schema extended(Schema schema) {
        List<Field> fields = new ArrayList<>();
        insertions.forEach(insertion -> fields.add(new Field(0, insertion.field(), insertion.schema())));
        return StructSchemas.withMoreFields(schema, fields);
    }

    @Override
    protected Struct apply(ConnectRecord record, Struct struct) {
        Struct extended = new Struct(schemas.get(struct.schema()));
        int given = struct.getValues().length;
        Object[] values = Arrays.copyOf(struct.getValues(), given + insertions.size());
        for (int i = 0; i < insertions.size(); i++) {
            values[given + i] = insertions.get(i).value(record).orElse(null);
        }
        extended.setValues(values);
        return extended;
    }

    @Override
    protected Map<String, Object> apply(ConnectRecord record, Map<String, Object> map) {
        Map<String, Object> extended = new LinkedHashMap<>(map);
        for (Insertion insertion : insertions) {
            insertion.schemalessValue(record).ifPresent(value -> extended.put(insertion.field(), value));
        }
        return extended;
    }
}
