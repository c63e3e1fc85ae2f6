package io.sluice.connector.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.sink.ErrorRecordReporter;
import io.openmessaging.connector.api.component.task.sink.SinkTaskContext;
import io.openmessaging.connector.api.component.task.source.SourceTaskContext;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.storage.OffsetStorageReader;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.jdbc.sink.JdbcSinkConnector;
import io.sluice.connector.jdbc.sink.JdbcSinkTask;
import io.sluice.connector.jdbc.source.JdbcSourceConnector;
import io.sluice.connector.jdbc.source.JdbcSourceTask;
import io.sluice.spi.RecordNames;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Source and sink against H2 and a real PostgreSQL. */
class JdbcRoundTripTest {

    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void start() throws Exception {
        postgres = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    static void stop() throws Exception {
        postgres.close();
    }

    static Stream<String> databases() {
        return Stream.of("jdbc:h2:mem:t" + System.nanoTime() + ";DB_CLOSE_DELAY=-1", postgres.getJdbcUrl("postgres", "postgres"));
    }

    private static void run(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url); Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static List<List<String>> rows(String url, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url); Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
            List<List<String>> all = new ArrayList<>();
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.add(rows.getString(i));
                }
                all.add(row);
            }
            return all;
        }
    }

    private static KeyValue config(String url, String... keysAndValues) {
        KeyValue config = new DefaultKeyValue();
        config.put("connection.url", url);
        config.put("connect.topicname", "t");
        config.put("poll.interval.ms", "10");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            config.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return config;
    }

    private static JdbcSourceTask source(KeyValue config, Map<RecordPartition, RecordOffset> offsets) {
        JdbcSourceConnector connector = new JdbcSourceConnector();
        connector.validate(config);
        connector.start(config);
        JdbcSourceTask task = new JdbcSourceTask();
        task.init(new SourceTaskContext() {
            @Override
            public OffsetStorageReader offsetStorageReader() {
                return new OffsetStorageReader() {
                    @Override
                    public RecordOffset readOffset(RecordPartition partition) {
                        return offsets.get(partition);
                    }

                    @Override
                    public Map<RecordPartition, RecordOffset> readOffsets(Collection<RecordPartition> partitions) {
                        return offsets;
                    }
                };
            }

            @Override
            public String getConnectorName() {
                return "test";
            }

            @Override
            public String getTaskName() {
                return "test-0";
            }

            @Override
            public KeyValue configs() {
                return config;
            }
        });
        task.start(connector.taskConfigs(1).get(0));
        return task;
    }

    /** Polls until nothing new has come three times; notes the offset of every record, as a worker would. */
    private static List<ConnectRecord> drain(JdbcSourceTask task, Map<RecordPartition, RecordOffset> offsets) throws InterruptedException {
        List<ConnectRecord> all = new ArrayList<>();
        for (int idle = 0; idle < 3;) {
            List<ConnectRecord> records = task.poll();
            if (records == null) {
                idle++;
                continue;
            }
            idle = 0;
            all.addAll(records);
            records.forEach(record -> offsets.put(record.getPosition().getPartition(), record.getPosition().getOffset()));
        }
        return all;
    }

    /** Gives records the place in a topic that they would have. */
    private static List<ConnectRecord> placed(List<ConnectRecord> records, String topic) {
        List<ConnectRecord> placed = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            ConnectRecord record = records.get(i);
            placed.add(new ConnectRecord(new RecordPartition(Map.of(RecordNames.TOPIC, topic, RecordNames.BROKER_NAME, "b", RecordNames.QUEUE_ID, "0")),
                new RecordOffset(Map.of(RecordNames.QUEUE_OFFSET, Integer.toString(i))), 0L, record.getKeySchema(), record.getKey(), record.getSchema(), record.getData()));
        }
        return placed;
    }

    private static JdbcSinkTask sink(KeyValue config, List<ConnectRecord> reported) {
        JdbcSinkConnector connector = new JdbcSinkConnector();
        connector.validate(config);
        connector.start(config);
        JdbcSinkTask task = new JdbcSinkTask();
        task.init(new SinkTaskContext() {
            @Override
            public String getConnectorName() {
                return "test";
            }

            @Override
            public String getTaskName() {
                return "test-0";
            }

            @Override
            public KeyValue configs() {
                return config;
            }

            @Override
            public void resetOffset(RecordPartition partition, RecordOffset offset) {
                throw new AssertionError("not asked for");
            }

            @Override
            public void resetOffset(Map<RecordPartition, RecordOffset> offsets) {
                throw new AssertionError("not asked for");
            }

            @Override
            public void pause(List<RecordPartition> partitions) {
                throw new AssertionError("not asked for");
            }

            @Override
            public void resume(List<RecordPartition> partitions) {
                throw new AssertionError("not asked for");
            }

            @Override
            public Set<RecordPartition> assignment() {
                return Set.of();
            }

            @Override
            public ErrorRecordReporter errorRecordReporter() {
                return (record, error) -> {
                    if (reported == null) {
                        throw new ConnectException(error.getMessage(), error);
                    }
                    reported.add(record);
                };
            }
        });
        task.start(connector.taskConfigs(1).get(0));
        return task;
    }

    @ParameterizedTest
    @MethodSource("databases")
    void copiesEveryPlainTypeWithoutLoss(String url) throws Exception {
        run(url, "DROP TABLE IF EXISTS \"types\"", "DROP TABLE IF EXISTS \"copy\"",
            "CREATE TABLE \"types\" (id BIGINT PRIMARY KEY, small SMALLINT, num INTEGER, price DECIMAL(20,4), rough DOUBLE PRECISION, flag BOOLEAN, "
                + "name VARCHAR(100), d_day DATE, clock TIME(3), at TIMESTAMP(3), fine TIMESTAMP(6), zoned TIMESTAMP(6) WITH TIME ZONE)",
            "INSERT INTO \"types\" VALUES (9223372036854775807, -32768, 2147483647, 1234567890123456.7891, 0.1, TRUE, 'žluťoučký \uD83D\uDC0E', DATE '1969-12-31', "
                + "TIME '23:59:59.999', TIMESTAMP '2026-03-29 02:30:00.123', TIMESTAMP '2026-03-29 02:30:00.123456', TIMESTAMP WITH TIME ZONE '2026-03-29 02:30:00.123456+05:30')",
            "INSERT INTO \"types\" (id) VALUES (2)");
        Map<RecordPartition, RecordOffset> offsets = new HashMap<>();
        JdbcSourceTask source = source(config(url, "table.whitelist", "types", "mode", "incrementing", "incrementing.column.name",
            url.contains(":h2:") ? "ID" : "id"), offsets);
        List<ConnectRecord> records = drain(source, offsets);
        source.stop();
        assertThat(records).hasSize(2);

        JdbcSinkTask sink = sink(config(url, "table.name.format", "copy", "pk.mode", "record_key", "insert.mode", "upsert", "auto.create", "true"), null);
        sink.put(placed(records, "types"));
        sink.put(placed(records, "types"));
        sink.stop();
        String columns = "id, small, num, price, rough, flag, name, d_day, clock, at";
        String quoted = url.contains(":h2:") ? columns.toUpperCase(java.util.Locale.ROOT).replaceAll("(\\w+)", "\"$1\"") : columns;
        assertThat(rows(url, "SELECT " + quoted + " FROM \"copy\" ORDER BY 1")).isEqualTo(rows(url, "SELECT " + columns + " FROM \"types\" ORDER BY 1"));
        // Finer than a millisecond: text in the record, and a column of the right type again.
        String fine = url.contains(":h2:") ? "\"FINE\"" : "fine";
        String zoned = url.contains(":h2:") ? "\"ZONED\"" : "zoned";
        String id = url.contains(":h2:") ? "\"ID\"" : "id";
        assertThat(rows(url, "SELECT CAST(" + fine + " AS VARCHAR(40)), CAST(" + zoned + " AT TIME ZONE 'UTC' AS VARCHAR(40)) FROM \"copy\" ORDER BY " + id).get(1))
            .satisfiesExactly(local -> assertThat(local).isEqualTo("2026-03-29 02:30:00.123456"), instant -> assertThat(instant).startsWith("2026-03-28 21:00:00.123456"));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void goesOnBehindTheLastRowEvenAmongRowsOfTheSameTime(String url) throws Exception {
        run(url, "DROP TABLE IF EXISTS \"changes\"", "CREATE TABLE \"changes\" (\"n\" INTEGER PRIMARY KEY, \"at\" TIMESTAMP(6) NOT NULL)");
        for (int n = 0; n < 25; n++) {
            run(url, "INSERT INTO \"changes\" VALUES (" + n + ", TIMESTAMP '2026-01-01 00:00:00.00000" + n / 10 + "')");
        }
        Map<RecordPartition, RecordOffset> offsets = new HashMap<>();
        KeyValue config = config(url, "table.whitelist", "changes", "mode", "timestamp+incrementing", "incrementing.column.name", "n",
            "timestamp.column.name", "at", "batch.max.rows", "7");
        List<Integer> seen = new ArrayList<>();
        // Every batch is read by a task of its own, which knows nothing but the offset.
        for (int i = 0; i < 6; i++) {
            JdbcSourceTask source = source(config, offsets);
            List<ConnectRecord> records = source.poll();
            source.stop();
            if (records != null) {
                records.forEach(record -> seen.add((Integer) ((io.openmessaging.connector.api.data.Struct) record.getData()).get("n")));
                records.forEach(record -> offsets.put(record.getPosition().getPartition(), record.getPosition().getOffset()));
            }
        }
        assertThat(seen).containsExactlyElementsOf(java.util.stream.IntStream.range(0, 25).boxed().toList());
    }

    @Test
    void saysWhatIsWrongWithAConfiguration() {
        assertThatThrownBy(() -> new JdbcSourceConnector().validate(config("jdbc:x", "mode", "timestamp"))).hasMessageContaining("'timestamp.column.name'");
        assertThatThrownBy(() -> new JdbcSinkConnector().validate(config("jdbc:x", "insert.mode", "upsert"))).hasMessageContaining("pk.mode=none");
        assertThatThrownBy(() -> sink(config("jdbc:nothing:here", "max.retries", "0"), null).put(placed(List.of(new ConnectRecord(null, null, 0L, null, "x")), "t")))
            .hasMessageContaining("jdbc:nothing").hasMessageContaining("deploy");
    }
}
