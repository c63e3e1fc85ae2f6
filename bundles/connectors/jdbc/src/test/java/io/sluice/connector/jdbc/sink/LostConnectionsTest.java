package io.sluice.connector.jdbc.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.connector.jdbc.testing.CuttingProxy;
import io.sluice.connector.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that are lost, and locks that others hold, on the databases that have a server. */
class LostConnectionsTest {

    private static final String[] UPSERT = {"insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "id"};
    private static final int ROWS = 100;
    private static final long LOCKED = 50;

    private final Records records = new Records("items");

    private static void create(Engine engine, TestDatabase database) throws Exception {
        database.execute("CREATE TABLE items (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20), n INTEGER)", "INSERT INTO items (id, name) VALUES (" + LOCKED + ", 'old')");
    }

    private List<ConnectRecord> batch() {
        List<ConnectRecord> batch = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            batch.add(records.item(i, "new", i));
        }
        return batch;
    }

    private static long count(TestDatabase database, String where) throws Exception {
        return ((Number) database.query("SELECT COUNT(*) FROM items WHERE " + where).get(0).get(0)).longValue();
    }

    /** A transaction that holds a row of the middle of {@link #batch}. */
    private static Connection lockARow(TestDatabase database) throws Exception {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        connection.createStatement().executeUpdate("UPDATE items SET n = -1 WHERE id = " + LOCKED);
        return connection;
    }

    private static CompletableFuture<Void> putAside(SinkRun run, List<ConnectRecord> batch) {
        return CompletableFuture.runAsync(() -> run.put(batch), task -> new Thread(task, "sluice-test-put").start());
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void areReplacedBetweenBatches(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        create(engine, database);
        try (SinkRun run = SinkRun.on(database, UPSERT)) {
            run.put(records.item(1, "one", 1));
            engine.killAll(database);
            run.put(batch());
        }
        assertThat(count(database, "name = 'new'")).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void areReplacedInTheMiddleOfABatch(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        create(engine, database);
        try (SinkRun run = SinkRun.on(database, UPSERT); Connection holder = lockARow(database)) {
            CompletableFuture<Void> put = putAside(run, batch());
            await().atMost(Duration.ofSeconds(20)).until(() -> engine.waitsForALock(database));
            // Kills the holder of the lock, too.
            engine.killAll(database);
            put.get(20, TimeUnit.SECONDS);
        }
        assertThat(count(database, "name = 'new'")).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void areTriedAgainWithinBoundsAndThenLeftToTheRuntime(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        create(engine, database);
        List<ConnectRecord> batch = batch();
        try (CuttingProxy proxy = new CuttingProxy(database.port());
             SinkRun run = SinkRun.on(database.behind(proxy), "insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "id", "max.retries", "2")) {
            run.put(records.item(1, "one", 1));
            proxy.refuse();
            assertThatThrownBy(() -> run.put(batch)).isInstanceOf(RetriableException.class).hasMessageContaining("cannot write to jdbc:").hasMessageContaining("after 3 attempts");
            proxy.restore();
            run.put(batch);
        }
        assertThat(count(database, "name = 'new'")).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void areNoReasonToGiveUpALockThatIsWaitedForTooLong(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        create(engine, database);
        String[] limit = engine == Engine.POSTGRESQL ? new String[] {"connection.property.options", "-c lock_timeout=200"}
            : new String[] {"connection.property.sessionVariables", "innodb_lock_wait_timeout=1"};
        List<ConnectRecord> batch = batch();
        try (SinkRun run = SinkRun.on(database, "insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "id", "max.retries", "0", limit[0], limit[1])) {
            try (Connection holder = lockARow(database)) {
                assertThatThrownBy(() -> run.put(batch)).isInstanceOf(RetriableException.class).hasMessageContaining("after 1 attempts");
                holder.rollback();
            }
            assertThat(count(database, "name = 'new'")).isZero();
            run.put(batch);
        }
        assertThat(count(database, "name = 'new'")).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void doNotHoldUpATaskThatIsToStop(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        create(engine, database);
        try (Connection holder = lockARow(database)) {
            SinkRun run = SinkRun.on(database, UPSERT);
            CompletableFuture<Void> put = putAside(run, batch());
            await().atMost(Duration.ofSeconds(20)).until(() -> engine.waitsForALock(database));
            long begin = System.nanoTime();
            run.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
            assertThatThrownBy(() -> put.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(ConnectException.class);
            holder.rollback();
        }
        assertThat(count(database, "name = 'new'")).isZero();
    }

    /** At-least-once is what the configuration says: the batch is written twice, which an upsert hides and an insert without a key does not. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void mayHideThatACommitTookEffect(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        create(engine, database);
        try (CuttingProxy proxy = new CuttingProxy(database.port()); SinkRun run = SinkRun.on(database.behind(proxy), UPSERT)) {
            run.put(records.item(1, "one", 1));
            proxy.cutBehind("COMMIT");
            run.put(batch());
            assertThat(proxy.cuts()).isEqualTo(1);
        }
        assertThat(count(database, "name = 'new'")).isEqualTo(ROWS);
    }
}
