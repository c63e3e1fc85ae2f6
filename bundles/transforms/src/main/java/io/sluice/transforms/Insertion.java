package io.sluice.transforms;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.logical.Timestamp;
import io.sluice.spi.RecordNames;
import io.sluice.transforms.record.Place;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One field to add.
 *
 * @param field its name, without the mark of whether it is required
 * @param required whether a record of which it is not known is an error
 * @param schema its schema
 * @param what what it holds, for messages
 * @param source finds the value for a record
 */
record Insertion(String field, boolean required, Schema schema, String what, Function<ConnectRecord, Optional<?>> source) {

    /** @throws IllegalArgumentException if there is none, or a fixed one lacks its text */
    static List<Insertion> of(InsertFieldConfig config) {
        List<Insertion> insertions = new ArrayList<>();
        add(insertions, config.topic_field(), SchemaBuilder.string(), "topic", RecordNames::topicOf);
        add(insertions, config.broker_field(), SchemaBuilder.string(), "broker", Place::broker);
        add(insertions, config.partition_field(), SchemaBuilder.int32(), "queue", Place::queue);
        add(insertions, config.offset_field(), SchemaBuilder.int64(), "queue offset", Place::offset);
        add(insertions, config.timestamp_field(), Timestamp.builder(), "timestamp",
            record -> Optional.ofNullable(record.getTimestamp()).map(Date::new));
        if (!config.static_field().isBlank() && config.static_value().isEmpty()) {
            throw new IllegalArgumentException("'static.value' is missing; it needs the text for 'static.field'");
        }
        add(insertions, config.static_field(), SchemaBuilder.string(), "fixed text", record -> Optional.of(config.static_value()));
        if (insertions.isEmpty()) {
            throw new IllegalArgumentException("there is no field to insert; give at least one of topic.field, broker.field, "
                + "partition.field, offset.field, timestamp.field, static.field");
        }
        return List.copyOf(insertions);
    }

    private static void add(List<Insertion> insertions, String marked, SchemaBuilder schema, String what,
                            Function<ConnectRecord, Optional<?>> source) {
        String name = marked.trim();
        if (name.isEmpty()) {
            return;
        }
        boolean required = name.endsWith("!");
        String field = required || name.endsWith("?") ? name.substring(0, name.length() - 1) : name;
        insertions.add(new Insertion(field, required, (required ? schema.required() : schema.optional()).build(), what, source));
    }

    /** The value for a struct's field. @throws IllegalArgumentException if it is required and not known */
    Optional<?> value(ConnectRecord record) {
        Optional<?> value = source.apply(record);
        if (value.isEmpty() && required) {
            throw new IllegalArgumentException("field '" + field + "' is required, but the record's " + what + " is not known");
        }
        return value;
    }

    /** The value for a map, in which nothing says that a number is a time. */
    Optional<?> schemalessValue(ConnectRecord record) {
        return value(record).map(value -> value instanceof Date date ? (Object) date.getTime() : value);
    }
}
