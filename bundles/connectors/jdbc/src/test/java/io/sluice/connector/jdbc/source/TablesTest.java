package io.sluice.connector.jdbc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.connector.ConnectorContext;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import io.sluice.spi.RecordNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which tables are copied, by which task, into which topic. */
@Timeout(60)
class TablesTest {

    /** Outside the time limit of a test: a busy machine can take more than a minute. */
    @BeforeAll
    static void startServers() {
        TestDatabases.postgres();
        TestDatabases.mariaDb();
    }

    private static KeyValue config(TestDatabase database, String... keysAndValues) {
        KeyValue config = new DefaultKeyValue();
        database.config().forEach(config::put);
        config.put("connect.topicname", "t");
        config.put("poll.interval.ms", "20");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            config.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return config;
    }

    private static List<KeyValue> tasks(int most, KeyValue config) {
        JdbcSourceConnector connector = new JdbcSourceConnector();
        connector.validate(config);
        connector.start(config);
        try {
            return connector.taskConfigs(most);
        } finally {
            connector.stop();
        }
    }

    /** The tables that are found, their letters small and without the database's name. */
    private static Set<String> found(TestDatabase database, String... keysAndValues) {
        Set<String> tables = new TreeSet<>();
        tasks(1, config(database, keysAndValues)).get(0).getString("task.tables").lines()
            .forEach(name -> tables.add(name.toLowerCase().replaceFirst("^(public|app|test_\\d+)\\.", "")));
        return tables;
    }

    @ParameterizedTest
    @EnumSource(ModesTest.Kind.class)
    void findsTablesByNamesAndPatterns(ModesTest.Kind kind) throws Exception {
        TestDatabase database = kind.create();
        database.execute("create table order_lines (id integer)", "create table orders (id integer)", "create table customers (id integer)",
            "create view order_view as select * from orders", "create index customers_id on customers (id)");
        assertThat(found(database)).containsExactlyInAnyOrder("changes", "customers", "order_lines", "orders");
        assertThat(found(database, "table.whitelist", "order*")).containsExactlyInAnyOrder("order_lines", "orders");
        assertThat(found(database, "table.whitelist", "order*,Customers", "table.blacklist", "*_lines")).containsExactlyInAnyOrder("customers", "orders");
        assertThat(found(database, "table.blacklist", "ORDERS, change*")).containsExactlyInAnyOrder("customers", "order_lines");
        assertThat(found(database, "table.whitelist", "order*", "table.types", "TABLE,VIEW")).containsExactlyInAnyOrder("order_lines", "order_view", "orders");
        assertThat(found(database, "table.whitelist", "order_view")).containsExactly("order_view");
        assertThat(found(database, "table.whitelist", "nothing*")).isEmpty();
        assertThatThrownBy(() -> found(database, "table.whitelist", "ord_rs")).isInstanceOf(ConnectException.class).hasMessageContainingAll("'ord_rs'", "'table.whitelist'");
    }

    @Test
    void findsTablesOfOtherSchemas() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("create schema sales", "create schema \"sa.les\"", "create table sales.orders (id integer)", "create table orders (id integer)", "create table \"Orders\" (id integer)",
            "create table \"sa.les\".\"odd.name\" (id integer primary key)", "insert into \"sa.les\".\"odd.name\" values (7)");
        assertThat(found(database)).containsExactlyInAnyOrder("orders");
        assertThat(found(database, "table.whitelist", "sales.orders")).containsExactly("sales.orders");
        assertThat(found(database, "table.whitelist", "sa*.*")).containsExactlyInAnyOrder("sales.orders", "\"sa.les\".\"odd.name\"");
        assertThat(found(database, "schema.pattern", "sa%", "table.blacklist", "sales.orders")).containsExactly("\"sa.les\".\"odd.name\"");
        assertThatThrownBy(() -> found(database, "table.whitelist", "ORDERS")).isInstanceOf(ConnectException.class).hasMessageContainingAll("public.Orders, public.orders");
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "\"sa.les\".\"odd.name\"", "topic.prefix", "p-", "topic.include.schema", "true", "mode", "incrementing")) {
            ConnectRecord record = run.take(1).get(0);
            assertThat(record.getExtension(RecordNames.TOPIC_EXTENSION)).isEqualTo("p-sa.les.odd.name");
            assertThat(record.getPosition().getPartition().getPartition()).isEqualTo(Map.of("table", "\"sa.les\".\"odd.name\""));
            assertThat(record.getPosition().getOffset().getOffset()).isEqualTo(Map.of("incrementing", 7L));
            assertThat(SourceRun.row((io.openmessaging.connector.api.data.Struct) record.getKey())).isEqualTo(Map.of("id", 7));
        }
    }

    @Test
    void findsTablesOfOtherDatabasesOfMySql() throws Exception {
        TestDatabase one = TestDatabases.mariaDb();
        TestDatabase other = TestDatabases.mariaDb();
        String name = other.url().replaceAll(".*/", "");
        other.execute("create table elsewhere (id integer primary key)", "insert into elsewhere values (1)");
        assertThat(found(one, "table.whitelist", name + ".else*")).containsExactly("elsewhere");
        assertThat(found(one, "catalog.pattern", name)).containsExactly("elsewhere");
        try (SourceRun run = SourceRun.of(one, "table.whitelist", name + ".elsewhere", "mode", "incrementing")) {
            assertThat(run.take(1).get(0).getPosition().getPartition().getPartition()).isEqualTo(Map.of("table", name + ".elsewhere"));
        }
    }

    @Test
    void spreadsManyTablesOverTheTasks() throws Exception {
        TestDatabase database = TestDatabases.h2();
        List<String> statements = new ArrayList<>();
        for (int t = 0; t < 50; t++) {
            statements.add("create table t" + t + " (id integer primary key)");
            statements.add("insert into t" + t + " select x from system_range(1, 30)");
        }
        database.execute(statements.toArray(String[]::new));
        List<KeyValue> tasks = tasks(4, config(database, "mode", "incrementing", "topic.prefix", "db-", "batch.max.rows", "20"));
        assertThat(tasks.stream().map(task -> task.getString("task.tables").lines().count()).toList()).containsExactly(13L, 13L, 12L, 12L);
        Map<String, Integer> rows = new HashMap<>();
        for (KeyValue config : tasks) {
            JdbcSourceTask task = SourceRun.task(config, new HashMap<>());
            for (List<ConnectRecord> records = task.poll(); records != null; records = task.poll()) {
                records.forEach(record -> rows.merge(record.getExtension(RecordNames.TOPIC_EXTENSION), 1, Integer::sum));
            }
            task.stop();
        }
        assertThat(rows).hasSize(50).containsEntry("db-T7", 30).allSatisfy((topic, count) -> assertThat(count).isEqualTo(30));
        assertThat(tasks(60, config(database))).hasSize(50);
    }

    @Test
    void asksForNewTasksWhenTablesComeAndGo() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("create table a (id integer primary key)");
        AtomicInteger requests = new AtomicInteger();
        JdbcSourceConnector connector = new JdbcSourceConnector();
        connector.init(new ConnectorContext() {
            @Override
            public void requestTaskReconfiguration() {
                requests.incrementAndGet();
            }

            @Override
            public void raiseError(Exception e) {
                throw new AssertionError(e);
            }
        });
        connector.start(config(database, "name", "orders", "table.poll.interval.ms", "50"));
        try {
            assertThat(connector.taskConfigs(5)).hasSize(1);
            database.execute("create table b (id integer primary key)");
            await().until(() -> requests.get() > 0);
            assertThat(connector.taskConfigs(5)).extracting(task -> task.getString("task.tables")).containsExactly("public.a", "public.b");
            requests.set(0);
            database.execute("drop table a");
            await().until(() -> requests.get() > 0);
            assertThat(connector.taskConfigs(5)).extracting(task -> task.getString("task.tables")).containsExactly("public.b");
        } finally {
            connector.stop();
        }
        assertThat(Thread.getAllStackTraces().keySet()).noneMatch(thread -> thread.getName().equals("sluice-jdbc-tables-orders"));
    }

    @Test
    void saysWhatIsWrongWithAConfiguration() {
        TestDatabase database = TestDatabases.h2();
        String[][] wrong = {
            {"query", "select 1", "table.whitelist", "a", "'query' and 'table.whitelist'"},
            {"mode", "sometimes", "", "", "'mode' is 'sometimes'"},
            {"mode", "timestamp", "", "", "'timestamp.column.name'"},
            {"query", "select 1", "mode", "incrementing", "'incrementing.column.name'"},
            {"key.from", "columns", "", "", "'key.columns'"},
            {"db.timezone", "Mars/Olympus", "", "", "'db.timezone' is 'Mars/Olympus'"},
            {"timestamp.initial", "yesterday", "", "", "'timestamp.initial' is 'yesterday'"},
            {"table.whitelist", "\"open", "", "", "'table.whitelist'"},
            {"zero.dates", "forgive", "", "", "'zero.dates' is 'forgive'; it can be fail, null, epoch"}};
        for (String[] one : wrong) {
            KeyValue config = one[2].isEmpty() ? config(database, one[0], one[1]) : config(database, one[0], one[1], one[2], one[3]);
            assertThatThrownBy(() -> new JdbcSourceConnector().validate(config)).isInstanceOf(ConnectException.class).hasMessageContaining(one[4]);
        }
        KeyValue topicless = config(database, "connect.topicname", "");
        assertThatThrownBy(() -> new JdbcSourceConnector().validate(topicless)).hasMessageContaining("'topic.prefix'");
    }
}
