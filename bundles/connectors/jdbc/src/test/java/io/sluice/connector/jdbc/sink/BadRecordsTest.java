package io.sluice.connector.jdbc.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records that the database does not take, among others that it does. */
class BadRecordsTest {

    private static final String[] UPSERT = {"insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "id"};

    private static void createStrict(Engine engine, TestDatabase database) throws Exception {
        database.execute("CREATE TABLE " + engine.quote("items") + " (" + engine.quote("id") + " BIGINT NOT NULL PRIMARY KEY, " + engine.quote("name")
            + " VARCHAR(5) NOT NULL, " + engine.quote("n") + " INTEGER CHECK (" + engine.quote("n") + " < 1000))");
    }

    private static List<Long> ids(Engine engine, TestDatabase database) throws Exception {
        return database.query("SELECT " + engine.quote("id") + " FROM " + engine.quote("items") + " ORDER BY 1").stream()
            .map(row -> ((Number) row.get(0)).longValue()).toList();
    }

    private static List<Long> reportedOffsets(SinkRun run) {
        return run.reported.stream().map(each -> Long.valueOf(each.record().getPosition().getOffset().getOffset().get("queueOffset").toString())).toList();
    }

    /** 500 records, of which two are not taken: one without a name, and one whose number is too large. */
    private static List<ConnectRecord> batch(Records records) {
        List<ConnectRecord> batch = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            batch.add(records.item(i, i == 123 ? null : "n" + i, i == 321 ? 1000 : i));
        }
        return batch;
    }

    @ParameterizedTest
    @EnumSource
    void areFoundAmongTheOthersWhichAreWritten(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        createStrict(engine, database);
        try (SinkRun run = SinkRun.on(database, UPSERT).tolerant()) {
            run.put(batch(new Records("items")));
            assertThat(reportedOffsets(run)).containsExactly(123L, 321L);
            assertThat(run.reported.get(0).error()).isInstanceOf(ConnectException.class)
                .hasMessageContaining("topic 'items', broker 'broker-a', queue 0, offset 123: table").hasMessageContaining("column name");
            assertThat(run.reported.get(1).error()).hasMessageContaining("offset 321: table").hasMessageContaining("SQL state");
        }
        assertThat(ids(engine, database)).containsExactlyElementsOf(LongStream.range(0, 500).filter(i -> i != 123 && i != 321).boxed().toList());
    }

    @ParameterizedTest
    @EnumSource
    void failTheTaskIfErrorsAreNotToleratedAndLeaveNothingOfTheBatch(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        createStrict(engine, database);
        try (SinkRun run = SinkRun.on(database, UPSERT)) {
            assertThatThrownBy(() -> run.put(batch(new Records("items")))).isInstanceOf(ConnectException.class).hasMessageContaining("offset 123: table")
                .hasMessageContaining("column name");
        }
        assertThat(ids(engine, database)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void areReportedOnceWhetherTheSinkOrTheDatabaseFindsThem(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        createStrict(engine, database);
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(database, UPSERT).tolerant()) {
            run.put(records.item(1, "one", 1), records.record(null, null, null, Map.of("id", "x", "name", "no", "n", 2)), records.tombstone(3),
                records.item(4, null, 4), records.record(null, null, null, Map.of("name", "no id")), records.item(6, "six", 6));
            assertThat(reportedOffsets(run)).containsExactly(1L, 2L, 3L, 4L);
            assertThat(run.reported).extracting(each -> each.error().getMessage()).satisfiesExactly(
                value -> assertThat(value).contains("column id: the text 'x' is no number"),
                tombstone -> assertThat(tombstone).contains("its value is null, which is a row to delete only with delete.enabled=true"),
                database1 -> assertThat(database1).contains("column name"),
                key -> assertThat(key).contains("its value has no field 'id', which pk.fields names; it has [name]"));
        }
        assertThat(ids(engine, database)).containsExactly(1L, 6L);
    }

    @ParameterizedTest
    @EnumSource
    void doNotReachTheOffsetsOfExactlyOnceDelivery(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        createStrict(engine, database);
        try (SinkRun run = SinkRun.on(database, "delivery", "exactly-once").tolerant()) {
            run.put(batch(new Records("items")));
            assertThat(reportedOffsets(run)).containsExactly(123L, 321L);
        }
        assertThat(ids(engine, database)).hasSize(498);
        assertThat(database.query("SELECT " + engine.quote("next_offset") + " FROM " + engine.quote("sluice_sink_offsets")).toString()).isEqualTo("[[500]]");
    }

    @Test
    void areFoundEvenIfTheDatabaseComplainsOnlyAtTheCommit() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("CREATE TABLE parents (id bigint PRIMARY KEY)", "INSERT INTO parents VALUES (1), (3)",
            "CREATE TABLE items (id bigint REFERENCES parents DEFERRABLE INITIALLY DEFERRED, name text, n int)");
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(database).tolerant()) {
            run.put(records.item(1, "one", 1), records.item(2, "orphan", 2), records.item(3, "three", 3));
            assertThat(reportedOffsets(run)).containsExactly(1L);
        }
        assertThat(ids(Engine.POSTGRESQL, database)).containsExactly(1L, 3L);
    }

    @Test
    void mayBeFoundByATrigger() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("CREATE TABLE items (id bigint, name text, n int)",
            "CREATE FUNCTION look() RETURNS trigger AS $$ BEGIN IF NEW.n = 2 THEN RAISE EXCEPTION 'two is not welcome'; END IF; RETURN NEW; END $$ LANGUAGE plpgsql",
            "CREATE TRIGGER look BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION look()");
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(database).tolerant()) {
            run.put(records.item(1, "one", 1), records.item(2, "two", 2), records.item(3, "three", 3));
            assertThat(run.reported).singleElement().satisfies(each -> assertThat(each.error()).hasMessageContaining("two is not welcome"));
        }
        assertThat(ids(Engine.POSTGRESQL, database)).containsExactly(1L, 3L);
    }

    @Test
    void areNotBlamedForWhatEveryRecordMeets() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("CREATE TABLE items (id bigint, name text, n int)", "CREATE ROLE reader LOGIN PASSWORD 'reader'", "GRANT SELECT ON items TO reader");
        Records records = new Records("items");
        try (SinkRun run = SinkRun.on(new TestDatabase(database.url(), "reader", "reader")).tolerant()) {
            assertThatThrownBy(() -> run.put(records.item(1, "one", 1), records.item(2, "two", 2))).isInstanceOf(ConnectException.class)
                .hasMessageContaining("permission denied for table items");
            assertThat(run.reported).isEmpty();
        } finally {
            database.execute("DROP OWNED BY reader", "DROP ROLE reader");
        }
    }
}
