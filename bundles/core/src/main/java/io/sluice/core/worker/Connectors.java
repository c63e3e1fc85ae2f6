package io.sluice.core.worker;

import io.sluice.core.rocketmq.RocketMq;
import io.sluice.core.store.ConfigStore;
import io.sluice.core.store.Definition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connectors that run on this worker. A connector that is closed goes on being stopped in the background; a new run of it waits for
 * that. Any thread.
 */
public final class Connectors {

    private static final Logger LOG = LoggerFactory.getLogger(Connectors.class);

    private final WorkerContext worker;
    private final Map<String, ConnectorRunner> runners = new HashMap<>();
    /** Runs that are ending, by connector. */
    private final Map<String, CompletableFuture<Void>> ending = new HashMap<>();
    /** Connectors that were deleted, and whose offsets go once their run has ended. */
    private final Set<String> deleted = new HashSet<>();

    public Connectors(ConfigStore store, WorkerContext worker) {
        this.worker = worker;
        store.listen(definition -> {
            if (store.get(definition.name()).isEmpty()) {
                forget(definition.name());
            }
        });
    }

    /** Takes a connector on. */
    public synchronized ConnectorRunner open(Definition definition) {
        ConnectorRunner before = runners.remove(definition.name());
        if (before != null) {
            LOG.warn("connector '{}' was opened while it was still open; the earlier run is ended", definition.name());
            end(before);
        }
        ConnectorRunner runner = new ConnectorRunner(definition, worker, ending.getOrDefault(definition.name(), CompletableFuture.completedFuture(null)));
        runners.put(definition.name(), runner);
        return runner;
    }

    /** Stops a connector and lets go of it, without waiting for it. */
    public synchronized void close(ConnectorRunner runner) {
        if (runners.remove(runner.name(), runner)) {
            end(runner);
        }
    }

    private void end(ConnectorRunner runner) {
        String name = runner.name();
        CompletableFuture<Void> earlier = ending.getOrDefault(name, CompletableFuture.completedFuture(null));
        CompletableFuture<Void> end = CompletableFuture.allOf(earlier, runner.close()).thenCompose(unused -> forgotten(name));
        ending.put(name, end);
        end.whenComplete((unused, e) -> {
            synchronized (this) {
                ending.remove(name, end);
            }
        });
    }

    /** The connector was deleted: its source offsets go, after the last commit of its tasks. */
    private synchronized void forget(String name) {
        deleted.add(name);
        if (!runners.containsKey(name) && !ending.containsKey(name)) {
            forgotten(name);
        }
    }

    private CompletableFuture<Void> forgotten(String name) {
        synchronized (this) {
            if (!deleted.remove(name)) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return worker.offsets().clear(name).thenRunAsync(() -> forgetGroup(name), worker.pool()).exceptionally(e -> {
            LOG.warn("connector '{}' was deleted, but its offsets could not be forgotten: {}", name, e.getMessage());
            return null;
        });
    }

    /** Only a sink has a group; whether this was one is no longer known. */
    private void forgetGroup(String name) {
        RocketMq rocketMq = worker.rocketMq().get().orElseThrow(() -> new IllegalStateException(worker.rocketMqMissing().get()));
        rocketMq.forgetGroup(SinkTaskRunner.groupOf(name));
    }

    public synchronized Optional<ConnectorRunner> get(String name) {
        return Optional.ofNullable(runners.get(name));
    }

    private synchronized List<ConnectorRunner> all() {
        return List.copyOf(runners.values());
    }

    /** Lets every connector look at the world again. */
    public void pokeAll() {
        all().forEach(ConnectorRunner::poke);
    }

    /** Stops all connectors side by side, and waits for them and for those that were being stopped already. */
    public void closeAll(Duration timeout) {
        all().forEach(this::close);
        List<CompletableFuture<Void>> ends;
        synchronized (this) {
            ends = new ArrayList<>(ending.values());
        }
        await("all connectors to stop", CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)), timeout);
    }

    /** Waits for a change to be carried out, and says so in the log if it is not in time. */
    public static void await(String what, CompletableFuture<Void> change, Duration timeout) {
        try {
            change.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.error("waited {} ms for {} in vain", timeout.toMillis(), what);
        } catch (ExecutionException e) {
            LOG.error("while waiting for {}", what, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
