package io.sluice.connector.jdbc.sink;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import io.sluice.spi.RecordNames;
import java.util.HashMap;
import java.util.Map;

/** Makes the records of one queue, with offsets that count up. */
final class Records {

    static final Schema INT64 = SchemaBuilder.int64().required().build();
    static final Schema STRING = SchemaBuilder.string().required().build();
    /** A small table's worth: id, name, n. */
    static final Schema ITEM = SchemaBuilder.struct().required()
        .field("id", INT64)
        .field("name", SchemaBuilder.string().optional().build())
        .field("n", SchemaBuilder.int32().optional().build())
        .build();

    private final RecordPartition partition;
    private long next;

    Records(String topic) {
        this(topic, 0);
    }

    Records(String topic, int queue) {
        partition = partition(topic, queue);
    }

    static RecordPartition partition(String topic, int queue) {
        return new RecordPartition(Map.of(RecordNames.TOPIC, topic, RecordNames.BROKER_NAME, "broker-a", RecordNames.QUEUE_ID, Integer.toString(queue)));
    }

    RecordPartition partition() {
        return partition;
    }

    /** The offset of the next record. */
    long next() {
        return next;
    }

    void seek(long offset) {
        next = offset;
    }

    ConnectRecord record(Schema keySchema, Object key, Schema schema, Object value) {
        RecordOffset offset = new RecordOffset(Map.of(RecordNames.QUEUE_OFFSET, Long.toString(next++)));
        return new ConnectRecord(partition, offset, 1_700_000_000_000L, keySchema, key, schema, value);
    }

    /** With the id as its key. */
    ConnectRecord item(long id, String name, Integer n) {
        return record(INT64, id, ITEM, new Struct(ITEM).put("id", id).put("name", name).put("n", n));
    }

    ConnectRecord tombstone(long id) {
        return record(INT64, id, null, null);
    }

    /** A struct with the fields of its schema, those that are not given null. */
    static Struct struct(Schema schema, Object... namesAndValues) {
        Map<String, Object> values = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        Struct struct = new Struct(schema);
        values.forEach(struct::put);
        return struct;
    }
}
