package io.sluice.connector.jdbc.source;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.source.SourceTaskContext;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.errors.RetriableException;
import io.openmessaging.connector.api.storage.OffsetStorageReader;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.jdbc.testing.TestDatabase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A source connector of one task with a worker's part played: polls, notes the offset of every record, starts it anew from there. */
final class SourceRun implements AutoCloseable {

    private static final long LONGEST_MS = 30_000;

    final Map<RecordPartition, RecordOffset> offsets = new HashMap<>();
    private final KeyValue config = new DefaultKeyValue();
    private JdbcSourceConnector connector;
    private JdbcSourceTask task;

    private SourceRun() {
    }

    static SourceRun of(TestDatabase database, String... keysAndValues) {
        SourceRun run = new SourceRun();
        database.config().forEach(run.config::put);
        run.config.put("connect.topicname", "t");
        run.config.put("poll.interval.ms", "20");
        run.config.put("connection.backoff.ms", "50");
        run.set(keysAndValues);
        run.start();
        return run;
    }

    SourceRun set(String... keysAndValues) {
        for (int i = 0; i < keysAndValues.length; i += 2) {
            config.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return this;
    }

    private void start() {
        connector = new JdbcSourceConnector();
        connector.validate(config);
        connector.start(config);
        List<KeyValue> tasks = connector.taskConfigs(1);
        task = task(tasks.get(0), offsets);
    }

    static JdbcSourceTask task(KeyValue config, Map<RecordPartition, RecordOffset> offsets) {
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
        task.validate(config);
        task.start(config);
        return task;
    }

    /** A new connector and task, as after a restart of the worker. */
    void restart() {
        close();
        start();
    }

    /** One poll that does not fail for good; empty if nothing came. */
    List<ConnectRecord> poll() throws InterruptedException {
        try {
            List<ConnectRecord> records = task.poll();
            if (records == null) {
                return List.of();
            }
            records.forEach(record -> offsets.put(record.getPosition().getPartition(), record.getPosition().getOffset()));
            return records;
        } catch (RetriableException e) {
            return List.of();
        }
    }

    /** Polls until so many records have come, at most for half a minute. */
    List<ConnectRecord> take(int count) throws InterruptedException {
        List<ConnectRecord> all = new ArrayList<>();
        long end = System.currentTimeMillis() + LONGEST_MS;
        while (all.size() < count && System.currentTimeMillis() < end) {
            all.addAll(poll());
        }
        return all;
    }

    /** Polls until nothing has come for several looks at the table. */
    List<ConnectRecord> drain() throws InterruptedException {
        List<ConnectRecord> all = new ArrayList<>();
        for (int idle = 0; idle < 4;) {
            List<ConnectRecord> records = poll();
            idle = records.isEmpty() ? idle + 1 : 0;
            all.addAll(records);
        }
        return all;
    }

    void stopTask() {
        task.stop();
    }

    @Override
    public void close() {
        task.stop();
        connector.stop();
    }

    static Map<String, Object> row(ConnectRecord record) {
        return row((Struct) record.getData());
    }

    static Map<String, Object> row(Struct struct) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (Field field : struct.getSchema().getFields()) {
            row.put(field.getName(), struct.get(field.getName()));
        }
        return row;
    }

    /** The values of one field, letters of its name aside. */
    static List<Object> values(List<ConnectRecord> records, String field) {
        List<Object> values = new ArrayList<>();
        for (ConnectRecord record : records) {
            Map<String, Object> row = row(record);
            String name = row.keySet().stream().filter(field::equalsIgnoreCase).findFirst().orElseThrow();
            values.add(row.get(name));
        }
        return values;
    }
}
