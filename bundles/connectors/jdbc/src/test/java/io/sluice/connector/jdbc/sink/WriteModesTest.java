package io.sluice.connector.jdbc.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Insert, upsert, update and delete, with keys from everywhere, on every database. */
class WriteModesTest {

    private static final Schema LINK = SchemaBuilder.struct().required()
        .field("from", Records.STRING).field("to", Records.STRING).build();

    private static List<String> rows(Engine engine, TestDatabase database, String table, String columns, String order) throws Exception {
        String sql = "SELECT " + columns + " FROM " + engine.quote(table) + " ORDER BY " + order;
        return database.query(sql).stream().map(row -> row.toString()).toList();
    }

    private static List<String> items(Engine engine, TestDatabase database) throws Exception {
        String columns = engine.quote("id") + ", " + engine.quote("name") + ", " + engine.quote("n");
        return rows(engine, database, "items", columns, "1");
    }

    @ParameterizedTest
    @EnumSource
    void insertsAndRefusesAKeyThatIsThere(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "pk.mode", "record_key", "pk.fields", "id")) {
            run.put(records.item(1, "one", 1), records.item(2, null, null));
            assertThat(items(engine, database)).containsExactly("[1, one, 1]", "[2, null, null]");
            assertThatThrownBy(() -> run.put(records.item(3, "three", 3), records.item(1, "again", 9))).isInstanceOf(ConnectException.class)
                .hasMessageContaining("topic 'items', broker 'broker-a', queue 0, offset 3: table").hasMessageContaining("SQL state");
        }
        assertThat(items(engine, database)).as("nothing of a failed batch is left").containsExactly("[1, one, 1]", "[2, null, null]");
    }

    @ParameterizedTest
    @EnumSource
    void insertsWithoutAKeyAsOftenAsRecordsCome(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true")) {
            run.put(records.item(1, "one", 1), records.item(1, "one", 1));
        }
        assertThat(items(engine, database)).containsExactly("[1, one, 1]", "[1, one, 1]");
    }

    @ParameterizedTest
    @EnumSource
    void upsertsAndDeletesInTheOrderOfEachKey(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "insert.mode", "upsert", "delete.enabled", "true", "pk.mode", "record_key",
            "pk.fields", "id")) {
            run.put(records.item(1, "one", 1), records.item(2, "two", 2), records.item(1, "uno", null), records.tombstone(2), records.item(3, "three", 3),
                records.tombstone(3), records.item(3, "tres", 3), records.tombstone(4));
            assertThat(items(engine, database)).containsExactly("[1, uno, null]", "[3, tres, 3]");
            run.put(records.tombstone(1), records.item(2, "dos", 2));
        }
        assertThat(items(engine, database)).containsExactly("[2, dos, 2]", "[3, tres, 3]");
    }

    @ParameterizedTest
    @EnumSource
    void manyRowsWithFewKeysLeaveTheLastOfEach(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "id", "batch.size", "7")) {
            List<ConnectRecord> batch = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                batch.add(records.item(i % 5, "name-" + i, i));
            }
            run.put(batch);
        }
        assertThat(items(engine, database)).containsExactly("[0, name-95, 95]", "[1, name-96, 96]", "[2, name-97, 97]", "[3, name-98, 98]", "[4, name-99, 99]");
    }

    @ParameterizedTest
    @EnumSource
    void updatesTheRowsThatAreThere(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "pk.mode", "record_value", "pk.fields", "id")) {
            run.put(records.item(1, "one", 1), records.item(2, "two", 2));
        }
        try (SinkRun run = SinkRun.on(database, "insert.mode", "update", "pk.mode", "record_value", "pk.fields", "id", "fields.whitelist", "name")) {
            run.put(records.item(1, "uno", 9), records.item(7, "seven", 7));
        }
        assertThat(items(engine, database)).containsExactly("[1, uno, 1]", "[2, two, 2]");
    }

    @ParameterizedTest
    @EnumSource
    void upsertsRowsThatAreNothingButAKey(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("links");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "insert.mode", "upsert", "pk.mode", "record_value")) {
            ConnectRecord link = records.record(null, null, LINK, Records.struct(LINK, "from", "a", "to", "b"));
            run.put(link);
            run.put(link, records.record(null, null, LINK, Records.struct(LINK, "from", "a", "to", "c")));
        }
        assertThat(rows(engine, database, "links", engine.quote("from") + ", " + engine.quote("to"), "2")).containsExactly("[a, b]", "[a, c]");
    }

    @ParameterizedTest
    @EnumSource
    void keepsKeysApartThatDifferInCaseOrAccent(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("links");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "from")) {
            for (String key : List.of("a", "A", "ä", "ß", "ss", "\uD83D\uDE00")) {
                run.put(records.record(null, null, LINK, Records.struct(LINK, "from", key, "to", key + key)));
            }
        }
        assertThat(rows(engine, database, "links", engine.quote("to"), "1"))
            .containsExactlyInAnyOrder("[aa]", "[AA]", "[ää]", "[ßß]", "[ssss]", "[\uD83D\uDE00\uD83D\uDE00]");
    }

    @ParameterizedTest
    @EnumSource
    void writesTheRecordsPlaceAsItsKey(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("items", 3);
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "insert.mode", "upsert", "pk.mode", "queue")) {
            ConnectRecord record = records.item(1, "one", 1);
            run.put(record, records.item(1, "one", 1));
            run.put(record);
        }
        String columns = List.of("__connect_topic", "__connect_broker", "__connect_queue", "__connect_offset", "id").stream().map(engine::quote)
            .collect(java.util.stream.Collectors.joining(", "));
        assertThat(rows(engine, database, "items", columns, "4")).containsExactly("[items, broker-a, 3, 0, 1]", "[items, broker-a, 3, 1, 1]");
    }

    @ParameterizedTest
    @EnumSource
    void takesAnyNameForTablesAndColumns(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Schema schema = SchemaBuilder.struct().required().field("select", Records.INT64).field("Größe m²", SchemaBuilder.string().build())
            .field("a.b", SchemaBuilder.string().build()).field("it's", SchemaBuilder.string().build()).field("UPPER", SchemaBuilder.string().build())
            .field("Mixed_Case", SchemaBuilder.string().build()).field("日本", SchemaBuilder.string().build()).build();
        Records records = new Records("Group");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "insert.mode", "upsert", "delete.enabled", "true", "pk.mode", "record_key",
            "pk.fields", "select", "table.name.format", "from_${topic}")) {
            for (int i = 0; i < 2; i++) {
                run.put(records.record(Records.INT64, 1L, schema, Records.struct(schema, "select", 1L, "Größe m²", "g" + i, "a.b", "ab", "it's", "i", "UPPER", "u",
                    "Mixed_Case", "m", "日本", "j")));
            }
            assertThat(rows(engine, database, "from_Group", "*", "1")).containsExactly("[1, g1, ab, i, u, m, j]");
            run.put(records.record(Records.INT64, 1L, null, null));
        }
        assertThat(rows(engine, database, "from_Group", "*", "1")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void findsATableThatWasMadeWithoutQuotes(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        // MariaDB keeps the case of tables, whatever the quotes; the others fold it.
        String table = engine == Engine.MARIADB ? "items" : "Items";
        database.execute("CREATE TABLE " + table + " (Id BIGINT NOT NULL PRIMARY KEY, Name VARCHAR(20), N INTEGER)");
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(database, "insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "id")) {
            run.put(records.item(1, "one", 1));
            run.put(records.item(1, "uno", 1));
        }
        try (SinkRun run = SinkRun.on(database, "insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "id", "quote.sql.identifiers", "never")) {
            run.put(records.item(2, "two", 2));
        }
        assertThat(database.query("SELECT Id, Name, N FROM " + table + " ORDER BY 1").toString()).isEqualTo("[[1, uno, 1], [2, two, 2]]");
    }

    @ParameterizedTest
    @EnumSource
    void writesMapsWithoutASchemaByTheTablesColumns(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        database.execute("CREATE TABLE " + engine.quote("items") + " (" + engine.quote("id") + " BIGINT NOT NULL PRIMARY KEY, " + engine.quote("name")
            + " VARCHAR(20), " + engine.quote("n") + " INTEGER)");
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(database, "insert.mode", "upsert", "delete.enabled", "true", "pk.mode", "record_key", "pk.fields", "id")) {
            run.put(records.record(null, "1", null, Map.of("name", "one", "n", 1.0)), records.record(null, Map.of("id", 2), null, Map.of("name", 22, "n", "2")),
                records.record(null, 3, null, Map.of("name", "three")));
            run.put(records.record(null, 3L, null, null));
        }
        assertThat(items(engine, database)).containsExactly("[1, one, 1]", "[2, 22, 2]");
    }
}
