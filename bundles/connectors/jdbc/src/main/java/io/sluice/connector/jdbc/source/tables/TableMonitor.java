package io.sluice.connector.jdbc.source.tables;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for new and dropped tables from time to time, on a thread of its own, and tells when the tables are others than those in use. */
public final class TableMonitor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TableMonitor.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

    /** Asks the database. */
    @FunctionalInterface
    public interface Look {
        /** True if the tables have changed. */
        boolean hasChanged() throws Exception;
    }

    private final String owner;
    private final Duration interval;
    private final Look look;
    private final Runnable changed;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private boolean failedBefore;

    /**
     * @param owner the connector's name
     * @param changed called when the tables have changed
     */
    public TableMonitor(String owner, Duration interval, Look look, Runnable changed) {
        this.owner = Objects.requireNonNull(owner, "owner");
        this.interval = Objects.requireNonNull(interval, "interval");
        this.look = Objects.requireNonNull(look, "look");
        this.changed = Objects.requireNonNull(changed, "changed");
        thread = new Thread(this::watch, "sluice-jdbc-tables-" + owner);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((failed, e) -> LOG.error("connector '{}': new tables are no longer looked for: {}", owner, e.toString(), e));
        thread.start();
    }

    private void watch() {
        try {
            while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                lookOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookOnce() throws InterruptedException {
        try {
            if (look.hasChanged() && closed.getCount() > 0) {
                LOG.info("connector '{}': the tables to copy have changed", owner);
                changed.run();
            }
            failedBefore = false;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (!failedBefore) {
                LOG.warn("connector '{}': cannot look for new tables ({}); trying again every {} ms", owner, e.getMessage(), interval.toMillis());
            }
            failedBefore = true;
        }
    }

    /** Ends the thread; waits for it no longer than two seconds. */
    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(LONGEST_CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How a list of tables reads in a log. */
    public static String shown(List<?> tables) {
        int most = 10;
        String first = String.join(", ", tables.stream().limit(most).map(Object::toString).toList());
        return tables.isEmpty() ? "none" : tables.size() <= most ? first : first + " and " + (tables.size() - most) + " more";
    }
}
