package io.sluice.connector.jdbc.sink;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.sink.ErrorRecordReporter;
import io.openmessaging.connector.api.component.task.sink.SinkTaskContext;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.spi.AsyncErrorReporter;
import io.sluice.spi.RecordNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A task as the runtime runs it: initialised, started, and stopped at the end; what it asks of its context is kept. */
final class SinkRun implements AutoCloseable {

    /** A record that the task has reported. */
    record Reported(ConnectRecord record, Throwable error) {
    }

    final JdbcSinkTask task = new JdbcSinkTask();
    final List<Reported> reported = new ArrayList<>();
    /** Rewinds asked for, by partition. */
    final Map<RecordPartition, Long> rewinds = new HashMap<>();
    private final KeyValue config = new DefaultKeyValue();
    private boolean tolerant;

    private SinkRun(Map<String, String> settings) {
        settings.forEach(config::put);
    }

    static SinkRun on(TestDatabase database, String... more) {
        Map<String, String> settings = new HashMap<>(database.config());
        settings.put("retry.backoff.ms", "20");
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        SinkRun run = new SinkRun(settings);
        new JdbcSinkConnector().validate(run.config);
        run.task.init(run.new Context());
        run.task.start(run.config);
        return run;
    }

    /** As with errors.tolerance=all. */
    SinkRun tolerant() {
        tolerant = true;
        return this;
    }

    void put(ConnectRecord... records) {
        task.put(List.of(records));
    }

    void put(List<ConnectRecord> records) {
        task.put(records);
    }

    @Override
    public void close() {
        task.stop();
    }

    private final class Context implements SinkTaskContext, AsyncErrorReporter {

        @Override
        public String getConnectorName() {
            return "test-sink";
        }

        @Override
        public String getTaskName() {
            return "test-sink-0";
        }

        @Override
        public KeyValue configs() {
            return config;
        }

        @Override
        public void resetOffset(RecordPartition partition, RecordOffset offset) {
            rewinds.put(partition, Long.parseLong(offset.getOffset().get(RecordNames.QUEUE_OFFSET).toString()));
        }

        @Override
        public void resetOffset(Map<RecordPartition, RecordOffset> offsets) {
            offsets.forEach(this::resetOffset);
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
            return this;
        }

        @Override
        public void report(ConnectRecord record, Throwable error) {
            reportAsync(record, error);
        }

        @Override
        public CompletionStage<Void> reportAsync(ConnectRecord record, Throwable error) {
            if (!tolerant) {
                throw new ConnectException(error.getMessage(), error);
            }
            reported.add(new Reported(record, error));
            return CompletableFuture.completedFuture(null);
        }
    }
}
