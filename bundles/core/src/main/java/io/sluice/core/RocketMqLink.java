package io.sluice.core;

import io.sluice.core.rocketmq.RocketMq;
import io.sluice.runtime.EmbeddedBroker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets the worker its connection to RocketMQ, however long that takes, on a thread of its own; and says meanwhile what it waits for. Once
 * there, the connection mends itself and is never replaced.
 */
final class RocketMqLink implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RocketMqLink.class);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration BROKER_START = Duration.ofSeconds(90);

    private final String configured;
    private final Supplier<Optional<EmbeddedBroker>> embedded;
    private final Function<String, RocketMq> connect;
    private final Runnable connected;
    private final Thread thread = new Thread(this::run, "sluice-rocketmq-link");
    private volatile RocketMq rocketMq;
    private volatile String missing = "RocketMQ was not reached yet";
    private volatile boolean closed;

    /**
     * @param configured the name servers' addresses; empty for the embedded broker
     * @param connect opens the connection and makes sure that it works
     * @param connected called once, when the connection is there
     */
    RocketMqLink(String configured, Supplier<Optional<EmbeddedBroker>> embedded, Function<String, RocketMq> connect, Runnable connected) {
        this.configured = configured.trim();
        this.embedded = embedded;
        this.connect = connect;
        this.connected = connected;
        thread.setDaemon(true);
    }

    void open() {
        thread.start();
    }

    Optional<RocketMq> rocketMq() {
        return Optional.ofNullable(rocketMq);
    }

    /** Why there is no connection. */
    String missing() {
        return missing;
    }

    private void run() {
        String said = "";
        while (!closed) {
            try {
                String address = configured.isEmpty() ? embeddedAddress() : configured;
                missing = "waiting for RocketMQ at " + address;
                RocketMq opened = connect.apply(address);
                synchronized (this) {
                    if (closed) {
                        opened.close();
                        return;
                    }
                    rocketMq = opened;
                }
                LOG.info("connected to RocketMQ at {}", address);
                connected.run();
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (ExecutionException | TimeoutException | RuntimeException e) {
                Throwable why = e instanceof ExecutionException ? e.getCause() : e;
                missing = "RocketMQ cannot be reached: " + (why.getMessage() == null ? why.toString() : why.getMessage());
                if (!missing.equals(said)) {
                    said = missing;
                    LOG.warn("{}; trying again every {} s", missing, RETRY.toSeconds());
                }
                if (!pause()) {
                    return;
                }
            }
        }
    }

    private String embeddedAddress() throws ExecutionException, InterruptedException, TimeoutException {
        EmbeddedBroker broker = embedded.get().orElseThrow(() -> new IllegalStateException(
            "'rocketmq.namesrv.addr' is not set and no embedded broker is installed; set the one or install the other"));
        missing = "waiting for the embedded broker to start";
        return broker.demand().toCompletableFuture().get(BROKER_START.toMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean pause() {
        try {
            Thread.sleep(RETRY.toMillis());
            return !closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        RocketMq open;
        synchronized (this) {
            closed = true;
            open = rocketMq;
            rocketMq = null;
        }
        thread.interrupt();
        if (open != null) {
            open.close();
        }
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
