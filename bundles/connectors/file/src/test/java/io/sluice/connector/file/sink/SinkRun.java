package io.sluice.connector.file.sink;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.sink.ErrorRecordReporter;
import io.openmessaging.connector.api.component.task.sink.SinkTaskContext;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.file.FileSinkConnector;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs one task of a file sink as a worker does, with a clock that stands still unless it is moved. */
final class SinkRun implements AutoCloseable {

    /** Which task of how many. */
    record Share(int index, int tasks) {
    }

    private final FileSinkTask task;
    private Instant now = Instant.parse("2026-12-01T12:00:00Z");
    private ErrorRecordReporter reporter;

    SinkRun(Object... keysAndValues) {
        this(new Share(0, 1), keysAndValues);
    }

    SinkRun(Share share, Object... keysAndValues) {
        KeyValue config = new DefaultKeyValue();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            config.put(keysAndValues[i].toString(), keysAndValues[i + 1].toString());
        }
        FileSinkConnector connector = new FileSinkConnector();
        connector.start(config);
        KeyValue taskConfig = connector.taskConfigs(share.tasks).get(share.index);
        task = new FileSinkTask(new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Instant instant() {
                return now;
            }
        });
        task.init(new Context(taskConfig));
        task.start(taskConfig);
    }

    SinkRun reportTo(ErrorRecordReporter target) {
        reporter = target;
        return this;
    }

    void setTime(Instant time) {
        now = time;
    }

    Instant time() {
        return now;
    }

    SinkRun put(Object... values) {
        return put(Arrays.stream(values).map(value -> record("lines", null, value)).toList());
    }

    SinkRun put(List<ConnectRecord> records) {
        task.put(records);
        return this;
    }

    static ConnectRecord record(String topic, Schema schema, Object value) {
        return new ConnectRecord(new RecordPartition(Map.of("topic", topic, "brokerName", "b", "queueId", "0")),
            new RecordOffset(Map.of("queueOffset", "1")), 0L, schema, value);
    }

    SinkRun commit() {
        task.preCommit(Map.of());
        return this;
    }

    @Override
    public void close() {
        task.stop();
    }

    private final class Context implements SinkTaskContext {
        private final KeyValue config;

        Context(KeyValue config) {
            this.config = config;
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
            return config;
        }

        @Override
        public void resetOffset(RecordPartition partition, RecordOffset offset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void resetOffset(Map<RecordPartition, RecordOffset> offsets) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void pause(List<RecordPartition> partitions) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void resume(List<RecordPartition> partitions) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<RecordPartition> assignment() {
            return Set.of();
        }

        @Override
        public ErrorRecordReporter errorRecordReporter() {
            return reporter;
        }
    }
}
