package io.sluice.transforms;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.Component;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.internal.DefaultKeyValue;
import java.util.List;
import java.util.Map;

/** Records as they come from a source and from a queue. */
final class Samples {

    static final Schema ROW = new Schema("row", FieldType.STRUCT, List.of(
        new Field(0, "id", SchemaBuilder.int64().required().build()),
        new Field(1, "name", SchemaBuilder.string().optional().build())));

    private Samples() {
    }

    static Struct row(long id, String name) {
        return new Struct(ROW).put("id", id).put("name", name);
    }

    static ConnectRecord fromSource(Schema schema, Object value) {
        ConnectRecord record = new ConnectRecord(new RecordPartition(Map.of("table", "orders")), new RecordOffset(Map.of("id", 7)), 1000L,
            schema, value);
        record.addExtension("topic", "shop-orders");
        return record;
    }

    static ConnectRecord fromQueue(Schema schema, Object value) {
        return new ConnectRecord(new RecordPartition(Map.of("topic", "shop-orders", "brokerName", "broker-a", "queueId", "3")),
            new RecordOffset(Map.of("queueOffset", "3000000000")), 1000L, schema, value);
    }

    static <T extends Component> T started(T plugin, String... config) {
        KeyValue keyValue = new DefaultKeyValue();
        for (int i = 0; i < config.length; i += 2) {
            keyValue.put(config[i], config[i + 1]);
        }
        plugin.validate(keyValue);
        plugin.start(keyValue);
        return plugin;
    }
}
