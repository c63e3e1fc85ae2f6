package io.sluice.broker.embedded;

import io.sluice.runtime.EmbeddedBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one broker running from the first demand until it is closed. A broker that ends is started again after a pause that grows; all of that
 * happens on one thread.
 *
 * <p>The broker of a worker that was killed ends by itself within some seconds. Until then it holds the lock on the data folder, so the new
 * broker's starts fail and are repeated: there are never two on one folder.
 */
final class BrokerSupervisor implements EmbeddedBroker, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerSupervisor.class);
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
    /** A start that fails for longer than this is reported to those who wait; it is repeated all the same. */
    private static final Duration REPORT_AFTER = Duration.ofSeconds(20);
    /** A broker that has run for so long was all right; its end is a new trouble and not the old one. */
    private static final Duration STABLE = Duration.ofMinutes(1);

    private final BrokerSettings settings;
    private final Thread thread = new Thread(this::run, "sluice-broker-supervisor");
    private CompletableFuture<String> address = new CompletableFuture<>();
    private boolean demanded;
    private volatile BrokerProcess process;
    private volatile boolean closed;

    BrokerSupervisor(BrokerSettings settings) {
        this.settings = settings;
        thread.setDaemon(true);
    }

    @Override
    public synchronized CompletionStage<String> demand() {
        if (closed) {
            return CompletableFuture.failedFuture(new IOException("the embedded broker is being stopped"));
        }
        if (!demanded) {
            demanded = true;
            thread.start();
        }
        if (address.isCompletedExceptionally()) {
            address = new CompletableFuture<>();
        }
        return address.copy();
    }

    private synchronized CompletableFuture<String> address() {
        return address;
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        long failingSince = System.nanoTime();
        while (!closed) {
            long begin = System.nanoTime();
            try {
                process = BrokerProcess.start(settings);
                process.ready().get(START.toMillis(), TimeUnit.MILLISECONDS);
                LOG.info("the embedded broker is ready at {} after {} ms, process {}", settings.namesrvAddr(),
                    (System.nanoTime() - begin) / 1_000_000, process.pid());
                address().complete(settings.namesrvAddr());
                int code = process.ended().get().exitValue();
                if (closed) {
                    return;
                }
                LOG.error("the embedded broker has ended with code {}; it is started again", code);
                if (System.nanoTime() - begin > STABLE.toNanos()) {
                    pause = FIRST_PAUSE;
                }
                failingSince = System.nanoTime();
            } catch (InterruptedException e) {
                return;
            } catch (IOException | ExecutionException | TimeoutException e) {
                failed(e, failingSince, pause);
                stopProcess();
            }
            if (!sleep(pause)) {
                return;
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private void failed(Exception failure, long failingSince, Duration pause) {
        Throwable why = failure instanceof ExecutionException ? failure.getCause() : failure;
        String reason = failure instanceof TimeoutException ? "the broker was not ready within " + START.toSeconds() + " s" : why.getMessage();
        LOG.warn("the embedded broker cannot be started: {}; trying again in {} ms", reason, pause.toMillis());
        if (System.nanoTime() - failingSince > REPORT_AFTER.toNanos() || !reason.contains("in use by another process")) {
            address().completeExceptionally(new IOException("the embedded broker cannot be started: " + reason, why));
        }
    }

    private boolean sleep(Duration pause) {
        try {
            Thread.sleep(pause.toMillis());
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void stopProcess() {
        BrokerProcess running = process;
        if (running != null) {
            running.stop();
        }
    }

    /** The process id of the broker; -1 if none was started. */
    long pid() {
        BrokerProcess running = process;
        return running == null ? -1 : running.pid();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        thread.interrupt();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stopProcess();
        address().completeExceptionally(new IOException("the embedded broker was stopped"));
    }
}
