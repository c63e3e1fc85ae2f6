package io.sluice.connector.jdbc.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.testing.CuttingProxy;
import io.sluice.connector.jdbc.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows without a key, of which every one that is written twice would show. */
class ExactlyOnceTest {

    private static final String[] EXACTLY_ONCE = {"delivery", "exactly-once", "auto.create", "true"};

    /** The records of a topic with one queue, from an offset on, as a runtime would read them. */
    private static List<ConnectRecord> read(RecordPartition partition, long from, long to) {
        Records records = new Records("items", Integer.parseInt(partition.getPartition().get("queueId").toString()));
        records.seek(from);
        return LongStream.range(from, to).mapToObj(i -> records.item(i, "n" + i, null)).toList();
    }

    private static List<ConnectRecord> read(long from, long to) {
        return read(Records.partition("items", 0), from, to);
    }

    private static List<Long> ids(Engine engine, TestDatabase database) throws Exception {
        return database.query("SELECT " + engine.quote("id") + " FROM " + engine.quote("items") + " ORDER BY 1").stream()
            .map(row -> ((Number) row.get(0)).longValue()).toList();
    }

    private static List<Long> upTo(long end) {
        return LongStream.range(0, end).boxed().toList();
    }

    private static SinkRun opened(TestDatabase database, RecordPartition... partitions) {
        SinkRun run = SinkRun.on(database, EXACTLY_ONCE);
        run.task.opened(List.of(partitions));
        return run;
    }

    @ParameterizedTest
    @EnumSource
    void goesOnWhereTheDatabaseStandsAfterACrashBeforeTheOffsetsWereCommitted(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        RecordPartition queue = Records.partition("items", 0);
        try (SinkRun run = opened(database, queue)) {
            assertThat(run.rewinds).as("nothing is stored yet").isEmpty();
            run.put(read(0, 10));
            run.put(read(10, 20));
        }
        // The broker still has the offset 5: the runtime would go on there.
        try (SinkRun run = opened(database, queue)) {
            assertThat(run.rewinds).containsExactly(java.util.Map.entry(queue, 20L));
            run.put(read(20, 25));
        }
        assertThat(ids(engine, database)).isEqualTo(upTo(25));
    }

    @ParameterizedTest
    @EnumSource
    void writesNothingTwiceEvenIfItIsPutTwice(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        try (SinkRun run = opened(database, Records.partition("items", 0))) {
            run.put(read(0, 10));
            run.put(read(0, 10));
            run.put(read(5, 15));
        }
        // A runtime that tells nothing of queues: the first record shows that the database is ahead or behind.
        try (SinkRun run = SinkRun.on(database, EXACTLY_ONCE)) {
            run.put(read(3, 18));
            assertThat(run.rewinds).containsExactly(java.util.Map.entry(Records.partition("items", 0), 15L));
            run.put(read(15, 18));
        }
        assertThat(ids(engine, database)).isEqualTo(upTo(18));
    }

    @ParameterizedTest
    @EnumSource
    void shutsOutATaskWhoseQueueAnotherOneHasTaken(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        RecordPartition shared = Records.partition("items", 0);
        RecordPartition own = Records.partition("items", 1);
        try (SinkRun zombie = opened(database, shared, own)) {
            zombie.put(read(0, 10));
            try (SinkRun heir = opened(database, shared)) {
                assertThat(heir.rewinds).containsEntry(shared, 10L);
                List<ConnectRecord> both = new ArrayList<>(read(10, 20));
                both.addAll(read(own, 100, 101));
                zombie.put(both);
                assertThat(ids(engine, database)).as("the zombie writes for its own queue alone").hasSize(11).contains(100L);
                heir.put(read(10, 15));
                zombie.put(read(20, 30));
                heir.put(read(15, 20));
            }
            // It is given back.
            zombie.task.closed(List.of(shared));
            zombie.task.opened(List.of(shared));
            assertThat(zombie.rewinds).containsEntry(shared, 20L);
            zombie.put(read(20, 22));
        }
        List<Long> expected = new ArrayList<>(upTo(22));
        expected.add(100L);
        assertThat(ids(engine, database)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void findsOutWhetherACommitTookEffectWhoseAnswerWasLost(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        try (CuttingProxy proxy = new CuttingProxy(database.port()); SinkRun run = opened(database.behind(proxy), Records.partition("items", 0))) {
            run.put(read(0, 10));
            for (int i = 1; i <= 5; i++) {
                // Behind the commit, after which the rows are there; and behind the move of the offset, after which they are not.
                proxy.cutBehind(i % 2 == 0 ? "COMMIT" : "UPDATE ");
                run.put(read(10L * i, 10L * i + 10));
                assertThat(proxy.cuts()).isEqualTo(i);
            }
        }
        assertThat(ids(engine, database)).isEqualTo(upTo(60));
    }

    @ParameterizedTest
    @EnumSource
    void keepsItsWordThroughRandomCrashesAndZombies(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RecordPartition[] queues = {Records.partition("items", 0), Records.partition("items", 1)};
        int rows = 60;
        List<SinkRun> runs = new ArrayList<>();
        try {
            SinkRun current = opened(database, queues);
            runs.add(current);
            long[] position = {0, 0};
            while (position[0] < rows || position[1] < rows) {
                if (random.nextInt(4) == 0) {
                    // A new owner; the old one is not told, and lives on.
                    current = opened(database, queues);
                    runs.add(current);
                    for (int q = 0; q < 2; q++) {
                        position[q] = current.rewinds.getOrDefault(queues[q], 0L);
                    }
                }
                // Some former owner, or the current one, puts something: its own idea of where it stands may be old.
                SinkRun actor = random.nextBoolean() ? current : runs.get(random.nextInt(runs.size()));
                int q = random.nextInt(2);
                long from = actor == current ? position[q] : random.nextInt(rows);
                long to = Math.min(rows, from + 1 + random.nextInt(10));
                long base = q * 1000L;
                List<ConnectRecord> batch = read(queues[q], from, to).stream().map(record -> {
                    ((io.openmessaging.connector.api.data.Struct) record.getData()).put("id", base + Long.parseLong(
                        record.getPosition().getOffset().getOffset().get("queueOffset").toString()));
                    return record;
                }).toList();
                if (!batch.isEmpty()) {
                    actor.put(batch);
                }
                if (actor == current) {
                    position[q] = to;
                }
            }
        } finally {
            runs.forEach(SinkRun::close);
        }
        List<Long> expected = new ArrayList<>(upTo(rows));
        LongStream.range(1000, 1000 + rows).forEach(expected::add);
        assertThat(ids(engine, database)).as("seed %d", seed).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(names = "H2")
    void wantsATableOfItsOwnForOffsets(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        database.execute("CREATE TABLE mine (id INT)");
        try (SinkRun run = SinkRun.on(database, "delivery", "exactly-once", "auto.create", "true", "offsets.table", "MINE")) {
            assertThatThrownBy(() -> run.put(read(0, 1))).isInstanceOf(ConnectException.class).hasMessageContaining("offsets.table: the table \"MINE\" has no column");
        }
    }
}
