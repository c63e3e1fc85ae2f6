package io.sluice.connector.jdbc.sink.row;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.sluice.spi.RecordNames;
import java.util.Map;
import java.util.Objects;

/**
 * Where the value of one column is found in a record.
 *
 * @param column the column's name as the record or the configuration has it
 * @param schema the schema of the value; null if there is none
 * @param from which part of the record
 * @param field the field of a struct; null where {@code from} is no struct
 */
public record Source(String column, Schema schema, From from, Field field) {

    /** The parts of a record. */
    public enum From { KEY, KEY_STRUCT, KEY_MAP, VALUE, VALUE_STRUCT, VALUE_MAP, TOPIC, BROKER, QUEUE, OFFSET }

    public Source {
        Objects.requireNonNull(column, "column");
        Objects.requireNonNull(from, "from");
    }

    static Source ofField(From from, Field field) {
        return new Source(field.getName(), field.getSchema(), from, field);
    }

    /** The value; null if there is none. A field that is null has its default. */
    public Object read(ConnectRecord record) {
        return switch (from) {
            case KEY -> record.getKey();
            case KEY_STRUCT -> ((Struct) record.getKey()).get(field);
            case KEY_MAP -> ((Map<?, ?>) record.getKey()).get(column);
            case VALUE -> record.getData();
            case VALUE_STRUCT -> ((Struct) record.getData()).get(field);
            case VALUE_MAP -> ((Map<?, ?>) record.getData()).get(column);
            case TOPIC -> partition(record, RecordNames.TOPIC);
            case BROKER -> partition(record, RecordNames.BROKER_NAME);
            case QUEUE -> Integer.valueOf(partition(record, RecordNames.QUEUE_ID));
            case OFFSET -> Long.valueOf(record.getPosition().getOffset().getOffset().get(RecordNames.QUEUE_OFFSET).toString());
        };
    }

    private static String partition(ConnectRecord record, String key) {
        return record.getPosition().getPartition().getPartition().get(key).toString();
    }
}
