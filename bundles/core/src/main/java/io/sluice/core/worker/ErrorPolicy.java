package io.sluice.core.worker;

import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.core.definition.ConnectorConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the {@code errors.*} keys of a connector say: how long to retry what may pass, and whether a record may be skipped.
 * Used on a task's thread.
 */
final class ErrorPolicy {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorPolicy.class);

    private final String owner;
    private final ConnectorConfig config;
    private final StopSignal stop;
    private final TaskFigures figures;

    ErrorPolicy(String owner, ConnectorConfig config, StopSignal stop, TaskFigures figures) {
        this.owner = owner;
        this.config = config;
        this.stop = stop;
        this.figures = figures;
    }

    /**
     * Makes the call, and makes it again while it ends in a {@code RetriableException} and time is left.
     *
     * @throws RecordFailure if it failed for good, or the task is to stop
     */
    <T> T attempt(Stage stage, Callable<T> call) throws RecordFailure, InterruptedException {
        long begin = System.nanoTime();
        Backoff backoff = null;
        while (true) {
            try {
                return call.call();
            } catch (RetriableException e) {
                backoff = backoff == null ? new Backoff(config.retryDelayMax()) : backoff;
                Duration pause = backoff.next();
                Optional<Duration> timeout = config.retryTimeout();
                boolean late = timeout.isPresent()
                    && System.nanoTime() - begin + pause.toNanos() > timeout.get().toNanos();
                if (late || stop.await(pause)) {
                    throw new RecordFailure(stage, e);
                }
                figures.retries.increment();
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception | LinkageError | StackOverflowError e) {
                throw new RecordFailure(stage, e);
            }
        }
    }

    /**
     * Decides about a record that could not be handled: returns if it may be skipped, and says so in the log.
     *
     * @param place which record it is, for people: topic, queue and offset, or source partition and offset
     * @param content the record's content, only looked at if the configuration wants it in the log
     * @throws TaskFailure if the connector does not tolerate errors
     */
    void skipOrFail(RecordFailure failure, String place, Object content) throws TaskFailure {
        figures.recordsFailed.increment();
        String record = config.logRecords() ? place + ", record " + content : place;
        if (!config.tolerant()) {
            throw new TaskFailure(record + ": " + failure.getMessage() + " (errors.tolerance=none)", failure.getCause());
        }
        figures.recordsSkipped.increment();
        if (config.logErrors()) {
            LOG.warn("{}: skipped a record, {}: {}", owner, record, failure.getMessage(), failure.getCause());
        }
    }

    boolean tolerant() {
        return config.tolerant();
    }
}
