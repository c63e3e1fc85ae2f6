package io.sluice.connector.jdbc.sink.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import io.sluice.connector.jdbc.sink.JdbcSinkConfig;
import io.sluice.connector.jdbc.sink.SinkOptions;
import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.spi.RecordNames;
import io.sluice.spi.config.Config;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShapesTest {

    private static Schema user() {
        return SchemaBuilder.struct().field("id", SchemaBuilder.int64().required().build()).field("name", SchemaBuilder.string().build())
            .field("age", SchemaBuilder.int32().build()).build();
    }

    private static Shapes shapes(String... config) {
        Map<String, String> map = new HashMap<>(Map.of("connection.url", "jdbc:x"));
        for (int i = 0; i < config.length; i += 2) {
            map.put(config[i], config[i + 1]);
        }
        return new Shapes(SinkOptions.of(Config.of(map, JdbcSinkConfig.class)));
    }

    private static ConnectRecord record(Schema keySchema, Object key, Schema schema, Object value) {
        RecordPartition partition = new RecordPartition(Map.of(RecordNames.TOPIC, "users", RecordNames.BROKER_NAME, "b", RecordNames.QUEUE_ID, "3"));
        return new ConnectRecord(partition, new RecordOffset(Map.of(RecordNames.QUEUE_OFFSET, "77")), 0L, keySchema, key, schema, value);
    }

    private static ConnectRecord userRecord() {
        Schema schema = user();
        return record(SchemaBuilder.int64().build(), 5L, schema, new Struct(schema).put("id", 5L).put("name", "Ada").put("age", 36));
    }

    private static List<String> names(List<Source> sources) {
        return sources.stream().map(Source::column).toList();
    }

    @Test
    void aSingleKeyIsTheColumnThatPkFieldsNames() {
        Shape shape = shapes("pk.mode", "record_key", "pk.fields", "id").of(userRecord());
        assertThat(shape.table()).isEqualTo("users");
        assertThat(names(shape.keys())).containsExactly("id");
        assertThat(names(shape.values())).as("the key's column is not written twice").containsExactly("name", "age");
        assertThat(shape.keys().get(0).read(userRecord())).isEqualTo(5L);
    }

    @Test
    void fieldsOfTheValueMayBeTheKey() {
        Shape shape = shapes("pk.mode", "record_value", "pk.fields", "name, id").of(userRecord());
        assertThat(names(shape.keys())).containsExactly("name", "id");
        assertThat(names(shapes("pk.mode", "record_value").of(userRecord()).keys())).containsExactly("id", "name", "age");
    }

    @Test
    void aStructKeyGivesAllItsFieldsOrThoseNamed() {
        Schema keySchema = SchemaBuilder.struct().field("a", SchemaBuilder.int32().build()).field("b", SchemaBuilder.int32().build()).build();
        ConnectRecord record = record(keySchema, new Struct(keySchema).put("a", 1).put("b", 2), null, Map.of("x", 1));
        assertThat(names(shapes("pk.mode", "record_key").of(record).keys())).containsExactly("a", "b");
        assertThat(names(shapes("pk.mode", "record_key", "pk.fields", "b").of(record).keys())).containsExactly("b");
        assertThatThrownBy(() -> shapes("pk.mode", "record_key", "pk.fields", "c").of(record)).isInstanceOf(DataProblem.class)
            .hasMessage("its key has no field 'c', which pk.fields names; it has [a, b]");
    }

    @Test
    void thePlaceOfARecordMayBeItsKey() {
        Shape shape = shapes("pk.mode", "kafka").of(userRecord());
        assertThat(names(shape.keys())).isEqualTo(Shapes.PLACE_COLUMNS);
        assertThat(shape.keys().stream().map(key -> key.read(userRecord())).toList()).containsExactly("users", "b", 3, 77L);
        assertThat(names(shapes("pk.mode", "queue", "pk.fields", "t,b,q,o").of(userRecord()).keys())).containsExactly("t", "b", "q", "o");
    }

    @Test
    void theWhitelistLeavesKeysIn() {
        Shape shape = shapes("pk.mode", "record_value", "pk.fields", "id", "fields.whitelist", "age").of(userRecord());
        assertThat(names(shape.keys())).containsExactly("id");
        assertThat(names(shape.values())).containsExactly("age");
    }

    @Test
    void recordsWithEqualSchemasHaveOneShape() {
        Shapes shapes = shapes("pk.mode", "record_key", "pk.fields", "id", "table.name.format", "app.{topic}_rows");
        Shape shape = shapes.of(userRecord());
        assertThat(shapes.of(userRecord())).isSameAs(shape);
        assertThat(shape.table()).isEqualTo("app.users_rows");
    }

    @Test
    void aRoutedRecordGoesToTheTableOfItsNewTopic() {
        ConnectRecord record = userRecord();
        record.addExtension(RecordNames.TOPIC_EXTENSION, "people");
        assertThat(shapes().of(record).table()).isEqualTo("people");
    }

    @Test
    void aNullValueDeletesOnlyIfThatIsWanted() {
        ConnectRecord tombstone = record(SchemaBuilder.int64().build(), 5L, null, null);
        Shape shape = shapes("pk.mode", "record_key", "pk.fields", "id", "delete.enabled", "true").of(tombstone);
        assertThat(shape.delete()).isTrue();
        assertThat(shape.values()).isEmpty();
        assertThatThrownBy(() -> shapes("pk.mode", "record_key", "pk.fields", "id").of(tombstone)).isInstanceOf(DataProblem.class)
            .hasMessageContaining("delete.enabled=true");
    }

    @Test
    void aValueWithoutFieldsHasAColumnOfItsOwn() {
        ConnectRecord line = record(null, null, SchemaBuilder.string().build(), "a line");
        Shape shape = shapes("value.column", "LINE", "pk.mode", "queue").of(line);
        assertThat(names(shape.values())).containsExactly("LINE");
        assertThat(shape.values().get(0).read(line)).isEqualTo("a line");
    }

    @Test
    void aRecordWithoutAKeyHasNoPlaceInATableWithOne() {
        assertThatThrownBy(() -> shapes("pk.mode", "record_key", "pk.fields", "id").of(record(null, null, null, Map.of("a", 1)))).isInstanceOf(DataProblem.class)
            .hasMessageContaining("it has no key");
    }
}
