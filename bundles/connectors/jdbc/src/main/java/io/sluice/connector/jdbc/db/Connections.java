package io.sluice.connector.jdbc.db;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections by one set of settings. The connections belong to the caller; {@link #close} only ends attempts that are under way.
 * Thread-safe.
 */
public final class Connections implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final int LONGEST_BACKOFF = 32;

    private final ConnectionSettings settings;
    private final String owner;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param owner who connects, such as {@code task orders-0}: begins log lines and ends the names of threads */
    public Connections(ConnectionSettings settings, String owner) {
        this.settings = withTimeouts(Objects.requireNonNull(settings, "settings"));
        this.owner = Objects.requireNonNull(owner, "owner");
    }

    /** The drivers whose time limits and signs of life are known get them, so that a silent network does not hold a thread for ever. */
    private static ConnectionSettings withTimeouts(ConnectionSettings settings) {
        long millis = settings.timeout().toMillis();
        return switch (Vendor.ofUrl(settings.url())) {
            case POSTGRESQL -> settings.withDefault("connectTimeout", Long.toString(Math.max(1, millis / 1000))).withDefault("tcpKeepAlive", "true")
                .withDefault("ApplicationName", "sluice");
            case MYSQL -> settings.withDefault("connectTimeout", Long.toString(millis)).withDefault("tcpKeepAlive", "true");
            default -> settings;
        };
    }

    public ConnectionSettings settings() {
        return settings;
    }

    /**
     * Opens a connection, after failures that may pass by themselves up to as many times as the settings say, with growing waits.
     *
     * @return in auto-commit mode, as JDBC has it
     * @throws SQLException the last failure; {@link SqlErrors} tells whether to come back later
     * @throws InterruptedException if the thread is interrupted, or {@link #close} was called
     */
    public Connection open() throws SQLException, InterruptedException {
        for (int attempt = 1;; attempt++) {
            try {
                return openOnce();
            } catch (SQLException e) {
                if (attempt >= settings.attempts() || e instanceof MissingDriverException || !SqlErrors.isRetriable(e)) {
                    throw e;
                }
                Duration pause = backoff(attempt);
                LOG.info("{}: cannot connect to {} ({}); attempt {} of {} in {} ms", owner, settings, e.getMessage(), attempt + 1, settings.attempts(),
                    pause.toMillis());
                if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw closedMeanwhile();
                }
            }
        }
    }

    /** Twice as long after each failure, and up to a fifth more, so that tasks which fail together do not come back together. */
    private Duration backoff(int failures) {
        long millis = settings.backoff().toMillis() * Math.min(LONGEST_BACKOFF, 1L << Math.min(failures - 1, 30));
        return Duration.ofMillis(millis + ThreadLocalRandom.current().nextLong(millis / 5 + 1));
    }

    private static InterruptedException closedMeanwhile() {
        return new InterruptedException("no connection is needed any more");
    }

    /** One attempt. @see #open() */
    public Connection openOnce() throws SQLException, InterruptedException {
        if (closed.getCount() == 0) {
            throw closedMeanwhile();
        }
        // On a thread of its own: some drivers look at no time limit and no interrupt while they connect.
        Attempt attempt = new Attempt(Drivers.find(settings.url()), settings);
        Thread thread = new Thread(attempt, "sluice-jdbc-connect-" + owner.replace(' ', '-'));
        thread.setDaemon(true);
        thread.start();
        return attempt.await();
    }

    private final class Attempt implements Runnable {

        private final Driver driver;
        private final ConnectionSettings settings;
        private final CompletableFuture<Connection> result = new CompletableFuture<>();

        Attempt(Driver driver, ConnectionSettings settings) {
            this.driver = driver;
            this.settings = settings;
        }

        @Override
        public void run() {
            // Drivers look for their own parts through it.
            Thread.currentThread().setContextClassLoader(driver.getClass().getClassLoader());
            try {
                Connection connection = driver.connect(settings.url(), settings.driverProperties());
                if (connection == null) {
                    result.completeExceptionally(new SQLException("the driver " + driver.getClass().getName() + " does not take the URL " + settings));
                } else if (!result.complete(connection)) {
                    connection.close();
                }
            } catch (Throwable e) {
                if (!result.completeExceptionally(e)) {
                    LOG.debug("{}: an attempt that was given up ended: {}", owner, e.toString());
                }
            }
        }

        Connection await() throws SQLException, InterruptedException {
            long deadline = System.nanoTime() + settings.timeout().toNanos();
            boolean taken = false;
            try {
                while (closed.getCount() > 0) {
                    try {
                        Connection connection = result.get(50, TimeUnit.MILLISECONDS);
                        taken = true;
                        return connection;
                    } catch (TimeoutException e) {
                        if (System.nanoTime() > deadline) {
                            throw new SQLTransientConnectionException("cannot connect to " + settings + ": no answer within " + settings.timeout().toMillis()
                                + " ms", "08001", e);
                        }
                    }
                }
                throw closedMeanwhile();
            } catch (ExecutionException e) {
                throw failure(e.getCause());
            } finally {
                if (!taken && !result.completeExceptionally(new InterruptedException("given up"))) {
                    closeUnwanted();
                }
            }
        }

        /** The connection came in the moment when it was given up. */
        private void closeUnwanted() throws SQLException {
            Connection connection = result.isCompletedExceptionally() ? null : result.join();
            if (connection != null) {
                connection.close();
            }
        }

        private SQLException failure(Throwable cause) {
            return cause instanceof SQLException sql ? sql
                : new SQLException("the driver " + driver.getClass().getName() + " failed to connect to " + settings + ": " + cause, cause);
        }
    }

    /** Ends attempts that are under way; no connection is opened from now on. */
    @Override
    public void close() {
        closed.countDown();
    }
}
