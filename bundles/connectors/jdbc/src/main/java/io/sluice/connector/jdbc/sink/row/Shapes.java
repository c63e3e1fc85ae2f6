package io.sluice.connector.jdbc.sink.row;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import io.sluice.connector.jdbc.sink.SinkOptions;
import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.connector.jdbc.sink.row.Source.From;
import io.sluice.spi.RecordNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the shapes of records and remembers them, by the identity of their schemas. Used by one thread. */
public final class Shapes {

    /** The columns of a key made of a record's place, if no others are named. */
    public static final List<String> PLACE_COLUMNS = List.of("__connect_topic", "__connect_broker", "__connect_queue", "__connect_offset");

    private static final int REMEMBERED = 512;
    private static final Schema TEXT = SchemaBuilder.string().required().build();
    private static final Schema INT = SchemaBuilder.int32().required().build();
    private static final Schema LONG = SchemaBuilder.int64().required().build();

    private final SinkOptions options;
    private final Map<Form, Shape> byForm = bounded();
    /** One object for equal shapes, since converters may make a schema anew for each record. */
    private final Map<Shape, Shape> distinct = bounded();

    public Shapes(SinkOptions options) {
        this.options = options;
    }

    private static <K, V> Map<K, V> bounded() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > REMEMBERED;
            }
        };
    }

    /** What tells forms of records apart, schemas by identity. */
    private record Form(String topic, Identity keySchema, Set<?> keyNames, Identity valueSchema, Set<?> valueNames, boolean tombstone) {
    }

    private record Identity(Object object) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Identity identity && identity.object == object;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(object);
        }
    }

    /** @throws DataProblem if the record has no place in a table */
    public Shape of(ConnectRecord record) {
        String topic = RecordNames.topicOf(record).orElseThrow(() -> new DataProblem("it has no topic"));
        Object key = record.getKey();
        Object value = record.getData();
        Form form = new Form(topic, new Identity(key instanceof Struct struct ? struct.schema() : record.getKeySchema()), names(key),
            new Identity(value instanceof Struct struct ? struct.schema() : record.getSchema()), names(value), value == null);
        Shape known = byForm.get(form);
        if (known == null) {
            Shape made = make(topic, record);
            known = distinct.computeIfAbsent(made, same -> same);
            byForm.put(form, known);
        }
        return known;
    }

    /** A copy, since a map of names that is kept must not change with the record. */
    private static Set<?> names(Object part) {
        return part instanceof Map<?, ?> map ? new HashSet<>(map.keySet()) : Set.of();
    }

    private Shape make(String topic, ConnectRecord record) {
        String table = options.tableFor(topic);
        if (record.getData() == null) {
            if (!options.delete()) {
                throw new DataProblem("its value is null, which is a row to delete only with delete.enabled=true");
            }
            return new Shape(table, true, keys(record), List.of());
        }
        List<Source> keys = keys(record);
        Set<String> keyNames = keys.stream().map(Source::column).collect(Collectors.toSet());
        List<Source> values = valueFields(record).values().stream()
            .filter(source -> !keyNames.contains(source.column()))
            .filter(source -> options.whitelist().isEmpty() || options.whitelist().contains(source.column())).toList();
        if (keys.isEmpty() && values.isEmpty()) {
            throw new DataProblem("it has no field to write" + (options.whitelist().isEmpty() ? "" : "; fields.whitelist names none of its fields"));
        }
        return new Shape(table, false, keys, values);
    }

    private List<Source> keys(ConnectRecord record) {
        return switch (options.keyMode()) {
            case NONE -> List.of();
            case QUEUE -> place();
            case RECORD_KEY -> recordKey(record);
            case RECORD_VALUE -> select(valueFields(record), "value");
        };
    }

    private List<Source> place() {
        List<String> names = options.keyFields().isEmpty() ? PLACE_COLUMNS : options.keyFields();
        return List.of(new Source(names.get(0), TEXT, From.TOPIC, null), new Source(names.get(1), TEXT, From.BROKER, null),
            new Source(names.get(2), INT, From.QUEUE, null), new Source(names.get(3), LONG, From.OFFSET, null));
    }

    private List<Source> recordKey(ConnectRecord record) {
        Object key = record.getKey();
        if (key == null) {
            throw new DataProblem("it has no key, which pk.mode=record_key needs");
        }
        if (key instanceof Struct struct) {
            return select(fields(From.KEY_STRUCT, struct), "key");
        }
        if (key instanceof Map<?, ?> map) {
            return select(entries(From.KEY_MAP, map), "key");
        }
        if (options.keyFields().size() != 1) {
            throw new DataProblem("its key is a single value, for which pk.fields has to name one column, not " + options.keyFields().size());
        }
        return List.of(new Source(options.keyFields().get(0), record.getKeySchema(), From.KEY, null));
    }

    private Map<String, Source> valueFields(ConnectRecord record) {
        if (record.getData() instanceof Struct struct) {
            return fields(From.VALUE_STRUCT, struct);
        }
        if (record.getData() instanceof Map<?, ?> map) {
            return entries(From.VALUE_MAP, map);
        }
        return Map.of(options.valueColumn(), new Source(options.valueColumn(), record.getSchema(), From.VALUE, null));
    }

    private static Map<String, Source> fields(From from, Struct struct) {
        Map<String, Source> sources = new LinkedHashMap<>();
        for (Field field : struct.schema().getFields()) {
            sources.put(field.getName(), Source.ofField(from, field));
        }
        return sources;
    }

    private static Map<String, Source> entries(From from, Map<?, ?> map) {
        Map<String, Source> sources = new LinkedHashMap<>();
        // Sorted, so that maps with the same names have the same shape.
        map.keySet().stream().map(String::valueOf).sorted().forEach(name -> sources.put(name, new Source(name, null, from, null)));
        return sources;
    }

    private List<Source> select(Map<String, Source> fields, String what) {
        if (options.keyFields().isEmpty()) {
            return List.copyOf(fields.values());
        }
        List<Source> selected = new ArrayList<>();
        for (String name : options.keyFields()) {
            Source source = fields.get(name);
            if (source == null) {
                throw new DataProblem("its " + what + " has no field '" + name + "', which pk.fields names; it has " + fields.keySet());
            }
            selected.add(source);
        }
        return selected;
    }
}
