package io.sluice.connector.jdbc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.h2.tools.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens when tables and connections do not stay as they were. */
@Timeout(60)
class ChangesTest {

    /** Outside the time limit of a test: a busy machine can take more than a minute. */
    @BeforeAll
    static void startServers() {
        TestDatabases.postgres();
        TestDatabases.mariaDb();
    }

    private static List<String> fields(ConnectRecord record) {
        return record.getSchema().getFields().stream().map(field -> field.getName().toLowerCase() + " " + TypeTable.describe(field.getSchema())).toList();
    }

    @ParameterizedTest
    @EnumSource(value = ModesTest.Kind.class, names = {"POSTGRES", "MARIADB", "H2", "SQLITE"})
    void theNewSchemaGoesWithTheNextRecord(ModesTest.Kind kind) throws Exception {
        TestDatabase database = kind.create();
        database.execute("insert into changes values (1, '2026-01-01 00:00:00', 'a')");
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "mode", "incrementing", "incrementing.column.name", "id")) {
            ConnectRecord before = run.take(1).get(0);
            database.execute("insert into changes values (2, '2026-01-01 00:00:00', 'a')");
            assertThat(run.take(1).get(0).getSchema()).isSameAs(before.getSchema());
            database.execute("alter table changes add column extra integer", "insert into changes values (3, '2026-01-01 00:00:00', 'a', 42)");
            ConnectRecord added = run.take(1).get(0);
            assertThat(fields(added)).hasSize(4).last().asString().startsWith("extra INT");
            assertThat(SourceRun.values(List.of(added), "extra").get(0).toString()).isEqualTo("42");
            database.execute("alter table changes drop column txt", "insert into changes values (4, '2026-01-01 00:00:00', 43)");
            assertThat(fields(run.take(1).get(0))).hasSize(3).noneMatch(field -> field.startsWith("txt"));
            if (kind != ModesTest.Kind.SQLITE) {
                String alter = kind == ModesTest.Kind.MARIADB ? "alter table changes modify extra varchar(10)"
                    : kind == ModesTest.Kind.H2 ? "alter table changes alter column extra varchar(10)" : "alter table changes alter column extra type varchar(10)";
                database.execute(alter, "insert into changes values (5, '2026-01-01 00:00:00', 'text')");
                assertThat(fields(run.take(1).get(0))).last().isEqualTo("extra STRING");
            }
        }
    }

    @Test
    void aColumnToOrderByThatIsDroppedIsNamedWhenItIsMissed() throws Exception {
        TestDatabase database = ModesTest.Kind.POSTGRES.create();
        database.execute("insert into changes values (1, '2026-01-01 00:00:00', 'a')");
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "mode", "timestamp+incrementing", "timestamp.column.name", "at_time")) {
            assertThat(run.take(1)).hasSize(1);
            database.execute("alter table changes rename column at_time to changed");
            assertThatThrownBy(run::drain).isInstanceOf(ConnectException.class).isNotInstanceOf(RetriableException.class)
                .hasMessageContainingAll("table public.changes", "'at_time'", "'timestamp.column.name'", "changed");
        }
    }

    @ParameterizedTest
    @EnumSource(value = ModesTest.Kind.class, names = {"POSTGRES", "MARIADB", "H2", "SQLITE"})
    void aDroppedTableIsNamedWhenItIsMissed(ModesTest.Kind kind) throws Exception {
        TestDatabase database = kind.create();
        database.execute("insert into changes values (1, '2026-01-01 00:00:00', 'a')");
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "mode", "incrementing", "incrementing.column.name", "id")) {
            assertThat(run.take(1)).hasSize(1);
            // H2's and PostgreSQL's locks are those of a transaction; none may be left open by the source.
            database.execute("drop table changes");
            assertThatThrownBy(run::drain).isInstanceOf(ConnectException.class).isNotInstanceOf(RetriableException.class)
                .hasMessageContaining("is not there").hasMessageContaining(kind == ModesTest.Kind.H2 ? "CHANGES" : "changes").hasMessageContaining("dropped");
        }
    }

    @ParameterizedTest
    @EnumSource(value = ModesTest.Kind.class, names = {"POSTGRES", "MARIADB"})
    void goesOnBehindTheLastRowWhenItsConnectionIsKilledInTheMiddleOfAScan(ModesTest.Kind kind) throws Exception {
        TestDatabase database = kind.create();
        boolean postgres = kind == ModesTest.Kind.POSTGRES;
        database.execute(postgres ? "insert into changes select i, '2026-01-01', repeat('x', 20) from generate_series(0, 19999) i"
            : "insert into changes select seq, '2026-01-01', repeat('x', 20) from seq_0_to_19999");
        List<Object> ids = new ArrayList<>();
        try (SourceRun run = SourceRun.of(asReader(database, postgres), "table.whitelist", "changes", "mode", "incrementing", "incrementing.column.name", "id", "batch.max.rows", "100",
            "batch.max.bytes", "10000")) {
            int killed = 0;
            for (int i = 0; i < 3; i++) {
                ids.addAll(SourceRun.values(run.take(500), "id"));
                killed += kill(database, postgres);
            }
            // One that has failed is closed, and opened again at the next poll; between the two there is none to kill.
            assertThat(killed).isPositive();
            ids.addAll(SourceRun.values(run.take(20_000 - ids.size()), "id"));
            assertThat(run.drain()).isEmpty();
        }
        assertThat(ids).isEqualTo(IntStream.range(0, 20_000).boxed().toList());
    }

    /** A user whose connections can be told from all others; PostgreSQL's are known by their application's name. */
    private static TestDatabase asReader(TestDatabase database, boolean postgres) throws Exception {
        if (postgres) {
            return database;
        }
        database.execute("create user if not exists 'reader'@'%' identified by 'reader'", "grant all privileges on *.* to 'reader'@'%'");
        return new TestDatabase(database.url(), "reader", "reader");
    }

    /** Kills the source's connections. @return how many */
    private static int kill(TestDatabase database, boolean postgres) throws Exception {
        if (postgres) {
            return database.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() "
                + "and application_name = 'sluice'").size();
        }
        List<List<Object>> connections = database.query("select id from information_schema.processlist where db = database() and user = 'reader'");
        for (List<Object> row : connections) {
            try {
                database.execute("kill " + row.get(0));
            } catch (SQLException e) {
                // It ended by itself in between.
                assertThat(e.getMessage()).contains("Unknown thread");
            }
        }
        return connections.size();
    }

    @Test
    void givesUpAfterAsManyFailuresAsAreAllowed() throws Exception {
        Map<String, String> config = new HashMap<>(TestDatabases.postgres().config());
        config.put("connection.url", "jdbc:postgresql://127.0.0.1:" + closedPort() + "/nowhere");
        var values = new io.openmessaging.internal.DefaultKeyValue();
        config.forEach(values::put);
        values.put("task.tables", "public.t");
        values.put("connection.attempts", "2");
        values.put("connection.backoff.ms", "10");
        values.put("max.retries", "2");
        JdbcSourceTask task = SourceRun.task(values, new HashMap<>());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(task::poll).isInstanceOf(RetriableException.class).hasMessageContaining("cannot read from jdbc:postgresql://127.0.0.1");
        }
        assertThatThrownBy(task::poll).isInstanceOf(ConnectException.class).isNotInstanceOf(RetriableException.class).hasMessageContaining("'max.retries' is 2");
        task.stop();
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void stopsInTheMiddleOfAStatementThatTakesForEver() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        SourceRun run = SourceRun.of(database, "query", "select 1 as n, pg_sleep(600)::text as s");
        CompletableFuture<List<ConnectRecord>> poll = CompletableFuture.supplyAsync(() -> {
            try {
                return run.poll();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        org.awaitility.Awaitility.await().until(() -> !database.query("select 1 from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()").isEmpty());
        long before = System.nanoTime();
        run.close();
        assertThat(poll.get(10, TimeUnit.SECONDS)).isEmpty();
        assertThat(System.nanoTime() - before).isLessThan(5_000_000_000L);
        org.awaitility.Awaitility.await().until(() -> database.query("select 1 from pg_stat_activity where query like '%pg_sleep(600)%' and state = 'active' and pid <> pg_backend_pid()").isEmpty());
    }

    @Test
    void doesNotReadTheRestOfALargeResultInOrderToStop() throws Exception {
        SourceRun run = SourceRun.of(TestDatabases.mariaDb(), "query", "select seq from seq_1_to_2000000000");
        assertThat(run.take(1)).isNotEmpty();
        long before = System.nanoTime();
        run.close();
        assertThat(System.nanoTime() - before).isLessThan(3_000_000_000L);
    }

    @Test
    void waitsForAServerThatIsDownAndGoesOnBehindTheLastRow(@TempDir Path folder) throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", folder.toString()).start();
        String port = Integer.toString(server.getPort());
        TestDatabase database = new TestDatabase("jdbc:h2:tcp://127.0.0.1:" + port + "/./db", "sa", "");
        database.execute("create table t (id integer primary key)", "insert into t values (1), (2)");
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "t", "mode", "incrementing", "connection.attempts", "1", "max.retries", "1000")) {
            assertThat(SourceRun.values(run.take(2), "id")).containsExactly(1, 2);
            server.stop();
            for (int i = 0; i < 3; i++) {
                assertThat(run.poll()).isEmpty();
            }
            server = Server.createTcpServer("-tcpPort", port, "-baseDir", folder.toString()).start();
            database.execute("insert into t values (3)");
            assertThat(SourceRun.values(run.take(1), "id")).containsExactly(3);
        } finally {
            server.stop();
        }
    }

    /**
     * Writers whose transactions commit out of order, connections that are killed and restarts, all at once: every state of a row that lasted is read, none
     * twice behind the offset that was stored with it.
     */
    @ParameterizedTest
    @EnumSource(value = ModesTest.Kind.class, names = {"POSTGRES", "MARIADB"})
    void losesAndDoublesNothingAmongWritersKillsAndRestarts(ModesTest.Kind kind) throws Exception {
        TestDatabase database = kind.create();
        boolean postgres = kind == ModesTest.Kind.POSTGRES;
        List<String> seen = new ArrayList<>();
        List<CompletableFuture<Void>> writers = IntStream.range(0, 3).mapToObj(writer -> CompletableFuture.runAsync(() -> write(database, kind, writer))).toList();
        try (SourceRun run = SourceRun.of(asReader(database, postgres), "table.whitelist", "changes", "mode", "timestamp+incrementing", "timestamp.column.name", "at_time",
            "timestamp.delay.interval.ms", "1000", "batch.max.rows", "7", "max.retries", "1000")) {
            Random random = new Random(42);
            long end = 0;
            while (end == 0 || System.nanoTime() < end) {
                for (ConnectRecord record : run.poll()) {
                    Map<String, Object> row = SourceRun.row(record);
                    seen.add(row.get("id") + " " + row.get("txt"));
                }
                int chance = random.nextInt(100);
                if (chance < 5) {
                    kill(database, postgres);
                } else if (chance < 10) {
                    run.restart();
                }
                if (end == 0 && writers.stream().allMatch(CompletableFuture::isDone)) {
                    end = System.nanoTime() + 2_500_000_000L;
                }
            }
        }
        writers.forEach(CompletableFuture::join);
        assertThat(seen).doesNotHaveDuplicates();
        assertThat(seen).containsAll(database.query("select id, txt from changes").stream().map(row -> row.get(0) + " " + row.get(1)).toList());
        assertThat(database.query("select count(*) from changes").get(0).get(0).toString()).isEqualTo("180");
    }

    /** Sixty rows, each written and then changed, in transactions of up to a tenth of a second that overlap with those of the others. */
    private static void write(TestDatabase database, ModesTest.Kind kind, int writer) {
        Random random = new Random(writer);
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 60; i++) {
                int id = i * 3 + writer;
                statement.execute("insert into changes values (" + id + ", " + kind.now + ", 'new')");
                TimeUnit.MILLISECONDS.sleep(random.nextInt(60));
                if (i > 0) {
                    statement.execute("update changes set txt = 'changed " + i + "', at_time = " + kind.now + " where id = " + (id - 3));
                }
                TimeUnit.MILLISECONDS.sleep(random.nextInt(40));
                connection.commit();
            }
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
