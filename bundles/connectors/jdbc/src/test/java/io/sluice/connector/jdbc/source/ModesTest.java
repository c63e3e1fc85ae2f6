package io.sluice.connector.jdbc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each mode reads, in which order, and where it goes on. */
class ModesTest {

    /** The databases, with what differs between their dialects. */
    enum Kind {
        POSTGRES("timestamp(6)", "clock_timestamp()"),
        MARIADB("datetime(6)", "now(6)"),
        H2("timestamp(6)", "localtimestamp(6)"),
        DERBY("timestamp", "current_timestamp"),
        SQLITE("datetime", "strftime('%Y-%m-%d %H:%M:%f', 'now')");

        final String time;
        final String now;

        Kind(String time, String now) {
            this.time = time;
            this.now = now;
        }

        TestDatabase create() throws Exception {
            TestDatabase database = switch (this) {
                case POSTGRES -> TestDatabases.postgres();
                case MARIADB -> TestDatabases.mariaDb();
                case H2 -> TestDatabases.h2();
                case DERBY -> TestDatabases.derby();
                case SQLITE -> TestDatabases.sqlite();
            };
            database.execute("create table changes (id integer not null primary key, at_time " + time + " not null, txt varchar(20))");
            return database;
        }
    }

    private static String time(int micros) {
        return String.format("'2026-01-01 00:00:00.%06d'", micros);
    }

    /** Rows in groups of ten with the same time, those of a group written in reverse order. */
    private static void fill(TestDatabase database, int rows) throws Exception {
        String[] statements = IntStream.range(0, rows).map(i -> rows - 1 - i)
            .mapToObj(i -> "insert into changes values (" + i + ", " + time(i / 10 * 1000) + ", 't" + i + "')").toArray(String[]::new);
        database.execute(statements);
    }

    private static List<Integer> ids(List<ConnectRecord> records) {
        return SourceRun.values(records, "id").stream().map(id -> ((Number) id).intValue()).toList();
    }

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void incrementingGoesOnBehindTheLastRowAfterEveryRestart(Kind kind) throws Exception {
        TestDatabase database = kind.create();
        fill(database, 25);
        List<Integer> seen = new ArrayList<>();
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "mode", "incrementing", "batch.max.rows", "7")) {
            for (int i = 0; i < 5; i++) {
                seen.addAll(ids(run.poll()));
                run.restart();
            }
            assertThat(seen).isEqualTo(upTo(25));
            database.execute("insert into changes values (100, " + time(0) + ", null)");
            assertThat(ids(run.drain())).containsExactly(100);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void timestampAndIncrementingTellsRowsOfOneTimeApartAndSeesUpdates(Kind kind) throws Exception {
        TestDatabase database = kind.create();
        fill(database, 25);
        List<Integer> seen = new ArrayList<>();
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "mode", "timestamp+incrementing", "timestamp.column.name", "at_time",
            "incrementing.column.name", "id", "batch.max.rows", "7")) {
            for (int i = 0; i < 5; i++) {
                seen.addAll(ids(run.poll()));
                run.restart();
            }
            assertThat(seen).isEqualTo(upTo(25));
            database.execute("update changes set at_time = " + time(900_000) + ", txt = 'new' where id = 3");
            List<ConnectRecord> records = run.drain();
            assertThat(ids(records)).containsExactly(3);
            assertThat(SourceRun.values(records, "txt")).containsExactly("new");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void timestampLosesNoRowOfATieThatARestartCutsInTwo(Kind kind) throws Exception {
        TestDatabase database = kind.create();
        fill(database, 35);
        List<Integer> seen = new ArrayList<>();
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "mode", "timestamp", "timestamp.column.name", "at_time", "batch.max.rows", "12")) {
            List<Integer> first = ids(run.poll());
            run.restart();
            List<Integer> rest = ids(run.drain());
            // Those of the time that was cut in two come again, and no others.
            assertThat(rest.stream().filter(first::contains).toList()).allMatch(id -> id >= 10 && id < 20);
            seen.addAll(first);
            seen.addAll(rest);
            assertThat(new HashSet<>(seen)).hasSize(35);
            run.restart();
            assertThat(run.drain()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRowIsReadOnlyWhenItIsOlderThanTheDelayWindow(Kind kind) throws Exception {
        TestDatabase database = kind.create();
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "mode", "timestamp+incrementing", "timestamp.column.name", "at_time",
            "timestamp.delay.interval.ms", "1500")) {
            long before = System.nanoTime();
            database.execute("insert into changes values (1, " + kind.now + ", 'fresh')", "insert into changes values (2, " + time(0) + ", 'old')");
            assertThat(ids(run.take(1))).containsExactly(2);
            // A transaction that was open all the time commits a row that is older than the newest one read.
            assertThat(ids(run.take(1))).containsExactly(1);
            assertThat(System.nanoTime() - before).isGreaterThan(1_450_000_000L);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void bulkCopiesEverythingAtEachIntervalAndNotBecauseOfARestart(Kind kind) throws Exception {
        TestDatabase database = kind.create();
        fill(database, 25);
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "batch.max.rows", "7", "poll.interval.ms", "30")) {
            List<Integer> seen = ids(run.take(50));
            assertThat(new HashSet<>(seen.subList(0, 25))).isEqualTo(new HashSet<>(upTo(25)));
            assertThat(new HashSet<>(seen.subList(25, 50))).isEqualTo(new HashSet<>(upTo(25)));
        }
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "poll.interval.ms", "600000")) {
            assertThat(run.take(25)).hasSize(25);
            run.restart();
            assertThat(run.poll()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aQueryIsReadInEveryMode(Kind kind) throws Exception {
        TestDatabase database = kind.create();
        fill(database, 12);
        String query = "select id, at_time, txt from changes where id <> 5;";
        for (String mode : List.of("bulk", "incrementing", "timestamp", "timestamp+incrementing")) {
            try (SourceRun run = SourceRun.of(database, "query", query, "mode", mode, "incrementing.column.name", "id", "timestamp.column.name", "at_time",
                "poll.interval.ms", mode.equals("bulk") ? "600000" : "20")) {
                List<ConnectRecord> records = run.take(11);
                assertThat(run.poll()).isEmpty();
                assertThat(ids(records)).as(mode).hasSize(11).doesNotContain(5);
                assertThat(records.get(0).getPosition().getPartition().getPartition()).isEqualTo(Map.of("query", query.replace(";", "")));
                assertThat(records.get(0).getKey()).isNull();
            }
        }
    }

    @Test
    void theFirstTimeThatIsNotNullCounts() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("create table orders (id integer primary key, changed timestamp, created timestamp not null)",
            "insert into orders values (1, '2026-01-03', '2026-01-01'), (2, null, '2026-01-02'), (3, null, '2026-01-04')");
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "orders", "mode", "timestamp", "timestamp.column.name", "changed,created")) {
            assertThat(ids(run.drain())).containsExactly(2, 1, 3);
            database.execute("update orders set changed = '2026-01-05' where id = 2");
            assertThat(ids(run.drain())).containsExactly(2);
        }
    }

    @Test
    void beginsWhereTimestampInitialSays() throws Exception {
        TestDatabase database = TestDatabases.mariaDb();
        database.execute("create table t (id integer primary key, at_time timestamp(3) not null default current_timestamp(3))",
            "insert into t values (1, '2026-01-01'), (2, '2026-02-01')");
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "t", "mode", "timestamp", "timestamp.column.name", "at_time", "timestamp.initial", "2026-01-15T00:00:00Z")) {
            assertThat(ids(run.drain())).containsExactly(2);
        }
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "t", "mode", "timestamp", "timestamp.column.name", "at_time", "timestamp.initial", "now")) {
            assertThat(run.drain()).isEmpty();
            database.execute("insert into t (id) values (3)");
            assertThat(ids(run.take(1))).containsExactly(3);
        }
    }

    @Test
    void ordersByNumbersThatSixtyFourBitsDoNotHold() throws Exception {
        TestDatabase database = TestDatabases.mariaDb();
        database.execute("create table big (n bigint unsigned not null auto_increment primary key)", "insert into big values (1), (9223372036854775807), (9223372036854775808), (18446744073709551614)");
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "big", "mode", "incrementing", "batch.max.rows", "3")) {
            assertThat(run.poll()).hasSize(3);
            run.restart();
            assertThat(SourceRun.values(run.drain(), "n")).extracting(Object::toString).containsExactly("18446744073709551614");
            database.execute("insert into big values (18446744073709551615)");
            run.restart();
            assertThat(SourceRun.values(run.drain(), "n")).extracting(Object::toString).containsExactly("18446744073709551615");
        }
    }

    @Test
    void refusesColumnsThatMayBeNullUnlessToldNotTo() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("create table holes (n integer, at_time timestamp)", "insert into holes values (1, '2026-01-01'), (null, null)");
        for (String[] order : new String[][] {{"incrementing", "n"}, {"timestamp", "at_time"}}) {
            String[] config = {"mode", order[0], order[0] + ".column.name", order[1]};
            try (SourceRun run = SourceRun.of(database, config).set("table.whitelist", "holes")) {
                run.restart();
                assertThatThrownBy(run::drain).isInstanceOf(ConnectException.class)
                    .hasMessageContainingAll("table public.holes", "'" + order[1] + "'", "may be null", "NOT NULL", "'validate.non.null'");
            }
            try (SourceRun run = SourceRun.of(database, config).set("query", "select * from holes")) {
                run.restart();
                assertThatThrownBy(run::drain).isInstanceOf(ConnectException.class).hasMessageContainingAll("the query", order[1], "is null", "'validate.non.null'");
            }
            try (SourceRun run = SourceRun.of(database, config).set("table.whitelist", "holes", "validate.non.null", "false")) {
                run.restart();
                assertThat(run.drain()).hasSize(1);
            }
        }
    }

    @Test
    void saysWhichColumnsThereAreWhenOneIsMissing() throws Exception {
        TestDatabase database = Kind.H2.create();
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "mode", "incrementing", "incrementing.column.name", "nr")) {
            assertThatThrownBy(run::drain).isInstanceOf(ConnectException.class).hasMessageContainingAll("table PUBLIC.CHANGES", "'nr'", "'incrementing.column.name'", "ID, AT_TIME, TXT");
        }
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "changes", "mode", "timestamp", "timestamp.column.name", "txt")) {
            assertThatThrownBy(run::drain).isInstanceOf(ConnectException.class).hasMessageContainingAll("'TXT'", "'timestamp.column.name'", "date or timestamp");
        }
    }
}
