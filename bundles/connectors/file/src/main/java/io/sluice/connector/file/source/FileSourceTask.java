package io.sluice.connector.file.source;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.source.SourceTask;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.file.FileSourceConfig;
import io.sluice.connector.file.FileSourceConnector;
import io.sluice.spi.PluginMetrics;
import io.sluice.spi.config.Config;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads its share of the connector's files; {@link #stop} may be called from any thread, all else from one. */
public final class FileSourceTask extends SourceTask {

    private static final Logger LOG = LoggerFactory.getLogger(FileSourceTask.class);
    private static final long STOP_SECONDS = 5;

    private final ReentrantLock lock = new ReentrantLock();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private SourceOptions options;
    private TailSet tails;
    private RuntimeException failure;
    private Batch interrupted;
    private volatile long lagBytes;

    @Override
    public void start(KeyValue config) {
        FileSourceConfig typed = Config.of(config, FileSourceConfig.class);
        options = SourceOptions.of(typed);
        PluginMetrics metrics = sourceTaskContext instanceof PluginMetrics own ? own : null;
        if (metrics != null) {
            metrics.gauge("file.lag.bytes", () -> lagBytes);
        }
        tails = new TailSet(new FileSelection(typed), config.getInt(FileSourceConnector.TASK_INDEX, 0), config.getInt(FileSourceConnector.TASK_COUNT, 1),
            options, sourceTaskContext.offsetStorageReader(), metrics);
        lock.lock();
        try {
            tails.start();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<ConnectRecord> poll() throws InterruptedException {
        Batch batch = read();
        if (batch.isEmpty() && failure == null && !stopped.await(options.pollInterval().toMillis(), TimeUnit.MILLISECONDS)) {
            batch = read();
        }
        if (!batch.isEmpty()) {
            return batch.records();
        }
        if (failure != null) {
            RuntimeException thrown = failure;
            failure = null;
            throw thrown;
        }
        return null;
    }

    private Batch read() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        lock.lock();
        try {
            Batch batch = interrupted == null ? new Batch(options) : interrupted;
            interrupted = null;
            if (stopped.getCount() == 0 || failure != null) {
                return batch;
            }
            readInto(batch);
            return batch;
        } finally {
            if (stopped.getCount() == 0) {
                tails.close();
            }
            lock.unlock();
        }
    }

    private void readInto(Batch batch) throws InterruptedException {
        try {
            tails.readInto(batch);
            lagBytes = tails.lag();
        } catch (ClosedByInterruptException e) {
            // The interrupt has closed a channel. What was read is kept, in case the task goes on.
            interrupted = batch;
            Thread.interrupted();
            tails.suspend();
            throw new InterruptedException();
        } catch (IOException e) {
            failure = new ConnectException("cannot go on reading: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            // The lines before the bad place go first; the next poll throws.
            failure = e;
        }
    }

    @Override
    public void stop() {
        stopped.countDown();
        boolean locked = false;
        try {
            locked = lock.tryLock(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!locked) {
            LOG.warn("{} is still reading; it closes its files when it is done", sourceTaskContext.getTaskName());
            return;
        }
        try {
            if (tails != null) {
                tails.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
