package io.sluice.connector.file.source;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.source.SourceTaskContext;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.storage.OffsetStorageReader;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.file.FileSourceConnector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Runs the tasks of a file source as a worker does, and keeps their offsets over restarts in a form that has been text in between. */
final class SourceRun implements AutoCloseable {

    private final Map<String, String> config;
    private final Map<RecordPartition, RecordOffset> offsets = new HashMap<>();
    private final List<FileSourceTask> tasks = new ArrayList<>();
    final List<ConnectRecord> records = new ArrayList<>();

    SourceRun(Object... keysAndValues) {
        Map<String, String> all = new LinkedHashMap<>(Map.of("poll.interval.ms", "10", "rotate.wait.ms", "50", "scan.interval.ms", "20"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            all.put(keysAndValues[i].toString(), keysAndValues[i + 1].toString());
        }
        config = all;
    }

    SourceRun start() {
        return start(1);
    }

    SourceRun start(int maxTasks) {
        KeyValue values = new DefaultKeyValue();
        config.forEach(values::put);
        FileSourceConnector connector = new FileSourceConnector();
        connector.start(values);
        for (KeyValue taskConfig : connector.taskConfigs(maxTasks)) {
            FileSourceTask task = new FileSourceTask();
            task.init(new Context(taskConfig));
            task.start(taskConfig);
            tasks.add(task);
        }
        return this;
    }

    /** Ends all tasks; everything polled so far counts as delivered. */
    void stop() {
        tasks.forEach(FileSourceTask::stop);
        tasks.clear();
    }

    /** One poll of each task. True if there was something. */
    boolean poll() {
        boolean any = false;
        for (int i = 0; i < tasks.size(); i++) {
            any |= !poll(i).isEmpty();
        }
        return any;
    }

    List<ConnectRecord> poll(int task) {
        try {
            List<ConnectRecord> batch = tasks.get(task).poll();
            if (batch == null) {
                return List.of();
            }
            batch.forEach(this::deliver);
            return batch;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void deliver(ConnectRecord record) {
        records.add(record);
        offsets.put(record.getPosition().getPartition(), asStored(record.getPosition().getOffset()));
    }

    void forgetOffsets() {
        offsets.clear();
    }

    void putOffset(RecordPartition partition, Map<String, ?> offset) {
        offsets.put(partition, new RecordOffset(offset));
    }

    Map<RecordPartition, RecordOffset> offsets() {
        return offsets;
    }

    /** Polls until {@code done}, for at most {@code limit}. */
    SourceRun pollUntil(BooleanSupplier done, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        while (!done.getAsBoolean() && System.nanoTime() < end) {
            poll();
        }
        return this;
    }

    /** Polls until so many records have come, then until nothing more comes for a while. */
    SourceRun pollAll(int expected) {
        pollUntil(() -> records.size() >= expected, Duration.ofSeconds(60));
        return pollIdle();
    }

    /** Polls until nothing comes for longer than any wait that the configuration of the test sets. */
    SourceRun pollIdle() {
        long quietSince = System.nanoTime();
        while (System.nanoTime() - quietSince < Duration.ofMillis(200).toNanos()) {
            if (poll()) {
                quietSince = System.nanoTime();
            }
        }
        return this;
    }

    List<String> lines() {
        return records.stream().map(record -> (String) record.getData()).toList();
    }

    FileSourceTask task(int index) {
        return tasks.get(index);
    }

    @Override
    public void close() {
        stop();
    }

    /** Numbers come back from a store of JSON as whatever fits. */
    private static RecordOffset asStored(RecordOffset offset) {
        Map<String, Object> map = new LinkedHashMap<>();
        offset.getOffset().forEach((key, value) ->
            map.put(key, value instanceof Long number && number.intValue() == number ? (Object) number.intValue() : value));
        return new RecordOffset(map);
    }

    private final class Context implements SourceTaskContext {
        private final KeyValue taskConfig;

        Context(KeyValue taskConfig) {
            this.taskConfig = taskConfig;
        }

        @Override
        public OffsetStorageReader offsetStorageReader() {
            return new OffsetStorageReader() {
                @Override
                public RecordOffset readOffset(RecordPartition partition) {
                    return offsets.get(partition);
                }

                @Override
                public Map<RecordPartition, RecordOffset> readOffsets(Collection<RecordPartition> partitions) {
                    Map<RecordPartition, RecordOffset> found = new HashMap<>();
                    partitions.forEach(partition -> found.put(partition, offsets.get(partition)));
                    return found;
                }
            };
        }

        @Override
        public String getConnectorName() {
            return "lines";
        }

        @Override
        public String getTaskName() {
            return "lines-0";
        }

        @Override
        public KeyValue configs() {
            return taskConfig;
        }
    }
}
