package io.sluice.connector.jdbc.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that are made, extended, and changed by others while a task runs. */
class ChangingTablesTest {

    private static final Schema V1 = SchemaBuilder.struct().required().field("id", Records.INT64).field("a", SchemaBuilder.string().optional().build()).build();
    private static final Schema V2 = SchemaBuilder.struct().required().field("id", Records.INT64).field("a", SchemaBuilder.string().optional().build())
        .field("b", SchemaBuilder.int32().optional().build()).field("c", SchemaBuilder.string().required().defaultValue("c-default").build()).build();
    private static final Schema STRICT = SchemaBuilder.struct().required().field("id", Records.INT64).field("must", SchemaBuilder.int32().required().build()).build();
    private static final String[] EVOLVE = {"auto.create", "true", "auto.evolve", "true", "insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "id"};
    private static final String[] FIXED = {"insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "id"};

    private final Records records = new Records("items");

    private ConnectRecord v1(long id, String a) {
        return records.record(null, null, V1, Records.struct(V1, "id", id, "a", a));
    }

    private ConnectRecord v2(long id, String a, Integer b, String c) {
        return records.record(null, null, V2, Records.struct(V2, "id", id, "a", a, "b", b, "c", c));
    }

    private static List<String> rows(Engine engine, TestDatabase database, String... columns) throws Exception {
        String names = String.join(", ", java.util.Arrays.stream(columns).map(engine::quote).toList());
        return database.query("SELECT " + names + " FROM " + engine.quote("items") + " ORDER BY 1").stream().map(List::toString).toList();
    }

    private static String alter(Engine engine, String change) {
        return "ALTER TABLE " + engine.quote("items") + " " + change;
    }

    @ParameterizedTest
    @EnumSource
    void growWithTheRecordsOfOneBatch(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        try (SinkRun run = SinkRun.on(database, EVOLVE)) {
            run.put(v1(1, "one"), v2(2, "two", 2, "see"), v1(3, "three"));
            run.put(v1(1, "uno"));
        }
        assertThat(rows(engine, database, "id", "a", "b", "c")).containsExactly("[1, uno, null, c-default]", "[2, two, 2, see]", "[3, three, null, c-default]");
    }

    @ParameterizedTest
    @EnumSource
    void areMadeAndExtendedOnlyIfThatIsWanted(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        try (SinkRun run = SinkRun.on(database, FIXED)) {
            assertThatThrownBy(() -> run.put(v1(1, "one"))).isInstanceOf(ConnectException.class).hasMessageContaining("there is no table").hasMessageContaining("auto.create=true");
        }
        try (SinkRun run = SinkRun.on(database, EVOLVE)) {
            run.put(v1(1, "one"));
        }
        try (SinkRun run = SinkRun.on(database, FIXED)) {
            assertThatThrownBy(() -> run.put(v2(2, "two", 2, "see"))).isInstanceOf(ConnectException.class).hasMessageContaining("it has no column for [b, c]")
                .hasMessageContaining("auto.evolve=true");
        }
        try (SinkRun run = SinkRun.on(database, FIXED).tolerant()) {
            run.put(v1(3, "three"), v2(2, "two", 2, "see"), v1(4, "four"));
            assertThat(run.reported).hasSize(1);
        }
        assertThat(rows(engine, database, "id", "a")).containsExactly("[1, one]", "[3, three]", "[4, four]");
    }

    @ParameterizedTest
    @EnumSource
    void getNoColumnThatOldRowsHaveNoValueFor(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        try (SinkRun run = SinkRun.on(database, EVOLVE)) {
            run.put(v1(1, "one"));
            assertThatThrownBy(() -> run.put(records.record(null, null, STRICT, Records.struct(STRICT, "id", 2L, "must", 2)))).isInstanceOf(ConnectException.class)
                .hasMessageContaining("the column must cannot be added").hasMessageContaining("may not be null and has no default");
            assertThatThrownBy(() -> run.put(records.record(null, null, null, Map.of("id", 2, "free", "x")))).isInstanceOf(ConnectException.class)
                .hasMessageContaining("there is no column free, and a value without a schema does not tell the type");
        }
        assertThat(rows(engine, database, "id", "a")).containsExactly("[1, one]");
    }

    @ParameterizedTest
    @EnumSource
    void mayLoseAColumnWhichIsMadeAgainOrTold(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        try (SinkRun run = SinkRun.on(database, EVOLVE); SinkRun fixed = SinkRun.on(database, FIXED)) {
            run.put(v1(1, "one"));
            fixed.put(v1(2, "two"));
            database.execute(alter(engine, "DROP COLUMN " + engine.quote("a")));
            assertThatThrownBy(() -> fixed.put(v1(3, "three"))).isInstanceOf(ConnectException.class).hasMessageContaining("it has no column for [a]");
            run.put(v1(4, "four"));
            fixed.put(v1(5, "five"));
        }
        assertThat(rows(engine, database, "id", "a")).containsExactly("[1, null]", "[2, null]", "[4, four]", "[5, five]");
    }

    @ParameterizedTest
    @EnumSource
    void mayBeDroppedAndAreMadeAgain(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        try (SinkRun run = SinkRun.on(database, EVOLVE)) {
            run.put(v1(1, "one"));
            database.execute("DROP TABLE " + engine.quote("items"));
            run.put(v1(2, "two"), v1(3, "three"));
        }
        assertThat(rows(engine, database, "id", "a")).containsExactly("[2, two]", "[3, three]");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
    void mayGetOtherTypesWhileATaskRuns(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        database.execute("CREATE TABLE " + engine.quote("items") + " (" + engine.quote("id") + " BIGINT NOT NULL PRIMARY KEY, " + engine.quote("a") + " VARCHAR(3))");
        String wider = switch (engine) {
            case POSTGRESQL -> "ALTER COLUMN \"a\" TYPE TEXT";
            case MARIADB -> "MODIFY `a` TEXT";
            case DERBY -> "ALTER COLUMN \"a\" SET DATA TYPE VARCHAR(100)";
            default -> "ALTER COLUMN \"a\" SET DATA TYPE VARCHAR(100)";
        };
        try (SinkRun run = SinkRun.on(database, FIXED)) {
            run.put(v1(1, "one"), v1(2, "two"));
            assertThatThrownBy(() -> run.put(v1(3, "three"))).isInstanceOf(ConnectException.class).hasMessageContaining("column a");
            database.execute(alter(engine, wider));
            run.put(v1(3, "three"), v1(4, "fourteen"));
        }
        assertThat(rows(engine, database, "id", "a")).containsExactly("[1, one]", "[2, two]", "[3, three]", "[4, fourteen]");
    }

    @ParameterizedTest
    @EnumSource
    void needAKeyForUpserts(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        database.execute("CREATE TABLE " + engine.quote("items") + " (" + engine.quote("id") + " BIGINT NOT NULL, " + engine.quote("a") + " VARCHAR(10))");
        try (SinkRun run = SinkRun.on(database, FIXED)) {
            if (engine == Engine.H2 || engine == Engine.DERBY) {
                // Their MERGE looks for the row by itself.
                run.put(v1(1, "one"));
                run.put(v1(1, "uno"));
                assertThat(rows(engine, database, "id", "a")).containsExactly("[1, uno]");
                return;
            }
            assertThatThrownBy(() -> run.put(v1(1, "one"))).isInstanceOf(ConnectException.class)
                .hasMessageContaining("no primary key or unique index on exactly the columns [id]");
        }
    }

    /** H2 has one task then; see the connector. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
    void areMadeByOneOfManyTasks(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        int tasks = engine == Engine.SQLITE ? 2 : 4;
        CyclicBarrier together = new CyclicBarrier(tasks);
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            Records queue = new Records("items", i);
            ConnectRecord first = queue.record(null, null, V1, Records.struct(V1, "id", (long) i, "a", "a"));
            ConnectRecord second = queue.record(null, null, V2, Records.struct(V2, "id", i + 10L, "a", "a", "b", i, "c", "c"));
            puts.add(CompletableFuture.runAsync(() -> {
                try (SinkRun run = SinkRun.on(database, EVOLVE)) {
                    together.await();
                    run.put(first);
                    together.await();
                    run.put(second);
                } catch (Exception e) {
                    // The others need not wait for this one.
                    together.reset();
                    throw new CompletionException(e);
                }
            }, task -> new Thread(task, "sluice-test-put").start()));
        }
        for (CompletableFuture<Void> put : puts) {
            assertThat(put).succeedsWithin(Duration.ofSeconds(60));
        }
        assertThat(rows(engine, database, "id", "c")).hasSize(2 * tasks);
    }
}
