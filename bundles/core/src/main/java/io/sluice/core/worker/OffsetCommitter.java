package io.sluice.core.worker;

import io.sluice.core.store.OffsetStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the acknowledged offsets of a source task into the offset store, every so often and one commit at a time, without holding up the
 * task. Belongs to the task's thread.
 */
final class OffsetCommitter {

    private static final Logger LOG = LoggerFactory.getLogger(OffsetCommitter.class);

    private final String connector;
    private final OffsetStore store;
    private final OffsetTracker<?> tracker;
    private final TaskFigures figures;
    private final long intervalNanos;
    private long lastNanos = System.nanoTime();
    private Map<Map<String, ?>, Map<String, ?>> offsets = Map.of();
    private CompletableFuture<Void> underWay;

    OffsetCommitter(String connector, OffsetStore store, OffsetTracker<?> tracker, TaskFigures figures, Duration interval) {
        this.connector = connector;
        this.store = store;
        this.tracker = tracker;
        this.figures = figures;
        this.intervalNanos = interval.toNanos();
    }

    /** Begins a commit if it is time. @return true if one that was begun earlier has become durable since the last call */
    boolean commitIfDue() {
        boolean durable = underWay != null && underWay.isDone() && finish();
        long now = System.nanoTime();
        if (underWay == null && now - lastNanos >= intervalNanos) {
            lastNanos = now;
            begin();
        }
        return durable;
    }

    /** Commits what can be committed and waits for it. @return true if something has become durable */
    boolean commitNow(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean durable = underWay != null && await(deadline) && finish();
        begin();
        return underWay != null && await(deadline) && finish() || durable;
    }

    private void begin() {
        offsets = tracker.takeCommittable();
        if (!offsets.isEmpty()) {
            underWay = store.commit(connector, offsets);
        }
    }

    private boolean await(long deadline) throws InterruptedException {
        try {
            underWay.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            LOG.warn("connector '{}': the store did not confirm offsets in time; the records since the last commit may be copied again", connector);
            return false;
        }
        return true;
    }

    private boolean finish() {
        CompletableFuture<Void> finished = underWay;
        underWay = null;
        if (!finished.isCompletedExceptionally()) {
            figures.commits.increment();
            return true;
        }
        figures.commitFailures.increment();
        finished.exceptionally(e -> {
            LOG.warn("connector '{}': could not commit offsets, trying again: {}", connector, e.getMessage());
            return null;
        });
        tracker.giveBack(offsets);
        return false;
    }
}
