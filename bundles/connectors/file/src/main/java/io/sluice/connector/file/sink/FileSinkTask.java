package io.sluice.connector.file.sink;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.sink.ErrorRecordReporter;
import io.openmessaging.connector.api.component.task.sink.SinkTask;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.connector.file.FileSinkConfig;
import io.sluice.connector.file.FileSinkConnector;
import io.sluice.spi.AsyncErrorReporter;
import io.sluice.spi.RecordNames;
import io.sluice.spi.config.Config;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the records of its queues as lines. A batch is on its way to the file when {@link #put} returns, and safe when {@link #flush} does. */
public final class FileSinkTask extends SinkTask {

    private static final Logger LOG = LoggerFactory.getLogger(FileSinkTask.class);
    /** Files that stay open; the one used longest ago is closed for another. */
    private static final int OPEN_FILES = 64;
    private static final long REPORT_SECONDS = 30;

    private final Clock clock;
    /** By topic, or under one name if the path does not depend on the topic. */
    private final Map<String, LineFile> files = new LinkedHashMap<>(16, 0.75f, true);
    private final List<CompletableFuture<Void>> reports = new ArrayList<>();
    private PathTemplate template;
    private int task;
    private SinkOptions options;
    private LineFormat format;
    private boolean byTopic;

    public FileSinkTask() {
        this(Clock.systemUTC());
    }

    FileSinkTask(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void start(KeyValue config) {
        options = SinkOptions.of(Config.of(config, FileSinkConfig.class));
        template = new PathTemplate(config.getString("file"));
        task = config.getInt(FileSinkConnector.TASK_INDEX, 0);
        format = new LineFormat(options);
        byTopic = template.namesTopic();
    }

    @Override
    public void put(List<ConnectRecord> records) {
        Set<LineFile> touched = new LinkedHashSet<>();
        boolean written = false;
        try {
            LineFile file = null;
            for (ConnectRecord record : records) {
                if (file == null || byTopic) {
                    file = file(record);
                    if (touched.add(file)) {
                        file.begin();
                    }
                }
                byte[] line = line(record);
                if (line != null) {
                    file.add(line);
                }
            }
            for (LineFile each : touched) {
                each.write();
            }
            written = true;
            closeSurplus();
        } catch (IOException e) {
            throw failure("cannot write", e);
        } finally {
            if (!written) {
                touched.forEach(LineFile::rollback);
            }
        }
    }

    private LineFile file(ConnectRecord record) {
        String topic = byTopic ? RecordNames.topicOf(record).orElseThrow(
            () -> new ConnectException("a record has no topic, which 'file' = " + template + " needs; leave ${topic} out of it")) : "";
        LineFile file = files.get(topic);
        if (file == null) {
            Path path = template.resolve(topic, task);
            file = files.values().stream().filter(other -> other.path().equals(path)).findFirst().orElse(new LineFile(path, options, clock));
            files.put(topic, file);
        }
        return file;
    }

    /** The bytes of the line; null if the value has none and that has been reported. */
    private byte[] line(ConnectRecord record) {
        try {
            return format.line(record);
        } catch (ConnectException e) {
            ErrorRecordReporter reporter = sinkTaskContext == null ? null : sinkTaskContext.errorRecordReporter();
            if (reporter == null) {
                throw e;
            }
            if (reporter instanceof AsyncErrorReporter async) {
                reports.add(async.reportAsync(record, e).toCompletableFuture());
            } else {
                reporter.report(record, e);
            }
            return null;
        }
    }

    private void closeSurplus() throws IOException {
        Iterator<LineFile> oldest = files.values().iterator();
        while (files.size() > OPEN_FILES) {
            LineFile file = oldest.next();
            oldest.remove();
            if (!files.containsValue(file)) {
                file.close();
            }
        }
    }

    @Override
    public void flush(Map<RecordPartition, RecordOffset> offsets) {
        try {
            for (LineFile file : List.copyOf(files.values())) {
                file.commit();
            }
        } catch (IOException e) {
            throw failure("cannot make safe what was written", e);
        }
        awaitReports();
    }

    private void awaitReports() {
        try {
            CompletableFuture.allOf(reports.toArray(CompletableFuture[]::new)).get(REPORT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new ConnectException("a record that has no text form could not be reported: " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new RetriableException("records that have no text form are not reported yet, after " + REPORT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetriableException("interrupted while records were reported", e);
        }
        reports.clear();
    }

    /** A full disk or a file server that is away may be better later; a path that may not be written to won't. */
    private static ConnectException failure(String what, IOException e) {
        String message = what + " (" + e + "); nothing of the batch is left half-written";
        return e instanceof AccessDeniedException || e instanceof NotDirectoryException
            ? new ConnectException(message + "; check 'file' and its permissions", e) : new RetriableException(message, e);
    }

    @Override
    public void stop() {
        for (LineFile file : files.values()) {
            try {
                file.close();
            } catch (IOException | ConnectException e) {
                LOG.warn("cannot close {}: {}", file.path(), e.toString());
            }
        }
        files.clear();
    }
}
