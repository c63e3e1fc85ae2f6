package io.sluice.connector.jdbc.sink;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.RecordNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A record as a row: its cells by column, those of the key first.
 *
 * @param record where it comes from
 * @param keys the key's cells
 * @param others the other cells; empty for a deletion
 * @param delete true if the row of this key is to go
 */
record Row(ConnectRecord record, Map<String, Cell> keys, Map<String, Cell> others, boolean delete) {

    /** @param schema null if the value has none */
    record Cell(Object value, Schema schema) { }

    /** @throws ConnectException if the record does not have what the configuration says; names it */
    static Row of(ConnectRecord record, SinkConfig config) {
        List<String> keyFields = List.of(config.pk_fields());
        Map<String, Cell> value = cells(record.getSchema(), record.getData(), config.value_column());
        Map<String, Cell> keys = switch (config.pk_mode().trim().toLowerCase(java.util.Locale.ROOT)) {
            case "record_key" -> key(record, keyFields);
            case "record_value" -> pick(value, keyFields, "the value");
            case "queue", "kafka" -> place(record);
            default -> Map.of();
        };
        if (record.getData() == null) {
            if (!config.delete_enabled()) {
                throw new ConnectException("the record has no value, and 'delete.enabled' is false");
            }
            return new Row(record, keys, Map.of(), true);
        }
        Map<String, Cell> others = new LinkedHashMap<>(value);
        others.keySet().removeAll(keys.keySet());
        if (config.fields_whitelist().length > 0) {
            others.keySet().retainAll(List.of(config.fields_whitelist()));
        }
        return new Row(record, keys, others, false);
    }

    private static Map<String, Cell> key(ConnectRecord record, List<String> fields) {
        if (record.getKey() == null) {
            throw new ConnectException("the record has no key, and 'pk.mode' is 'record_key'");
        }
        if (!(record.getKey() instanceof Struct) && !(record.getKey() instanceof Map)) {
            if (fields.size() != 1) {
                throw new ConnectException("the record's key is a plain value, so 'pk.fields' needs exactly one name for its column");
            }
            return Map.of(fields.get(0), new Cell(record.getKey(), record.getKeySchema()));
        }
        Map<String, Cell> all = cells(record.getKeySchema(), record.getKey(), "key");
        return fields.isEmpty() ? all : pick(all, fields, "the key");
    }

    private static Map<String, Cell> pick(Map<String, Cell> from, List<String> fields, String what) {
        Map<String, Cell> picked = new LinkedHashMap<>();
        for (String field : fields) {
            picked.put(field, Optional.ofNullable(from.get(field)).orElseThrow(() ->
                new ConnectException("'pk.fields' names '" + field + "', which " + what + " does not have; it has " + from.keySet())));
        }
        return picked;
    }

    private static Map<String, Cell> place(ConnectRecord record) {
        Map<String, ?> partition = record.getPosition().getPartition().getPartition();
        Map<String, Cell> place = new LinkedHashMap<>();
        place.put("connect_topic", new Cell(partition.get(RecordNames.TOPIC), null));
        place.put("connect_broker", new Cell(partition.get(RecordNames.BROKER_NAME), null));
        place.put("connect_queue", new Cell(Integer.valueOf(partition.get(RecordNames.QUEUE_ID).toString()), null));
        place.put("connect_offset", new Cell(Long.valueOf(record.getPosition().getOffset().getOffset().get(RecordNames.QUEUE_OFFSET).toString()), null));
        return place;
    }

    private static Map<String, Cell> cells(Schema schema, Object data, String plainColumn) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        if (data instanceof Struct struct) {
            for (Field field : struct.schema().getFields()) {
                cells.put(field.getName(), new Cell(struct.get(field), field.getSchema()));
            }
        } else if (data instanceof Map<?, ?> map) {
            map.forEach((key, value) -> cells.put(String.valueOf(key), new Cell(value, null)));
        } else if (data != null) {
            cells.put(plainColumn, new Cell(data, schema));
        }
        return cells;
    }

    /** What decides whether two rows are sent in one batch. */
    String shape(String table) {
        return table + '\n' + keys.keySet() + '\n' + (delete ? "delete" : others.keySet());
    }
}
