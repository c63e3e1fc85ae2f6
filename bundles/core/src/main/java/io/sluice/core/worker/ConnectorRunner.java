package io.sluice.core.worker;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.connector.Connector;
import io.openmessaging.connector.api.component.task.Task;
import io.openmessaging.connector.api.component.task.source.SourceTask;
import io.sluice.core.definition.ConnectorConfig;
import io.sluice.core.rocketmq.RocketMq;
import io.sluice.core.store.Definition;
import io.sluice.runtime.State;
import io.sluice.runtime.StateInfo;
import io.sluice.runtime.TargetState;
import io.sluice.runtime.TaskStatus;
import io.sluice.spi.PluginFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one connector: brings what runs into agreement with what is defined, which plugins are there, and whether RocketMQ is.
 *
 * <p>All decisions are made one after the other by {@link #reconcile}; the methods that others call only note what has changed.
 */
public final class ConnectorRunner {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectorRunner.class);
    private static final Duration PREDECESSOR = Duration.ofSeconds(60);
    private static final Duration CONNECTOR_STOP = Duration.ofSeconds(5);

    private final String name;
    private final WorkerContext worker;
    private final SerialExecutor serial;

    private volatile Definition definition;
    private volatile PluginSet plugins = PluginSet.EMPTY;
    private volatile boolean closing;

    /** What runs now; touched by the serial executor alone, read by others through {@link #slots} and {@link #state}. */
    private Running running;
    private boolean failed;
    private long failedRevision;
    private PluginSet failedPlugins;
    private volatile List<TaskSlot> slots = List.of();
    private volatile StateInfo state;

    /** A started connector and what it was started from. */
    private record Running(Connector<?> connector, ConnectorConfig config, Map<String, String> given, PluginSet plugins) { }

    /** @param after the end of an earlier run of the same connector, which must be over before this one begins */
    public ConnectorRunner(Definition definition, WorkerContext worker, CompletableFuture<Void> after) {
        this.name = definition.name();
        this.definition = definition;
        this.worker = worker;
        this.serial = new SerialExecutor(worker.pool());
        this.state = new StateInfo(State.UNASSIGNED, Optional.empty(), worker.clock().instant(), worker.workerId(), Optional.empty());
        if (!after.isDone()) {
            serial.execute(() -> Connectors.await("the earlier run of connector '" + name + "' to end", after, PREDECESSOR));
        }
    }

    public String name() {
        return name;
    }

    /** The definition has a new revision. @param available the plugins that are there of those that it names */
    public void defined(Definition next, PluginSet available) {
        definition = next;
        plugins = available;
        serial.execute(this::reconcile);
    }

    /**
     * The plugins that are there have changed.
     *
     * @return completed when that was carried out: when a plugin is going, nothing uses it any more then
     */
    public CompletableFuture<Void> pluginsChanged(PluginSet next) {
        plugins = next;
        return serial.submit(this::reconcile);
    }

    /** Something outside, such as the connection to RocketMQ, has changed. */
    public void poke() {
        serial.execute(this::reconcile);
    }

    /** Stops everything for good. @return completed when that is done */
    public CompletableFuture<Void> close() {
        closing = true;
        return serial.submit(this::reconcile);
    }

    /** Starts parts anew; see {@code Connect.restart}. */
    public void restart(boolean includeTasks, boolean onlyFailed) {
        serial.execute(() -> {
            boolean connectorToo = !onlyFailed || state.state() == State.FAILED;
            boolean everything = includeTasks && !onlyFailed || connectorToo && failed;
            if (everything || running == null) {
                stopAll();
                forgetFailure();
                reconcile();
                return;
            }
            if (connectorToo) {
                restartConnector();
            }
            if (includeTasks) {
                slots.stream().filter(slot -> slot.state().state() == State.FAILED).forEach(this::restartSlot);
            }
        });
    }

    /** The connector object alone: its tasks go on, unless it now wants other ones. */
    private void restartConnector() {
        Running before = running;
        stopConnector(before);
        try {
            running = new Running(startConnector(before.config, before.plugins), before.config, before.given, before.plugins);
            retask();
        } catch (Exception | LinkageError e) {
            connectorFailed(e);
        }
    }

    /** Starts one task anew. @return false if there is no such task */
    public boolean restartTask(int id) {
        Optional<TaskSlot> found = slots.stream().filter(slot -> slot.id() == id).findFirst();
        found.ifPresent(slot -> serial.execute(() -> {
            if (slots.contains(slot)) {
                restartSlot(slot);
            }
        }));
        return found.isPresent();
    }

    private void restartSlot(TaskSlot slot) {
        slot.stop(running.config.stopTimeout());
        worker.events().add(name, slot.id(), "restarted");
        startSlot(slot);
    }

    public StateInfo state() {
        return state;
    }

    public List<TaskStatus> tasks() {
        return slots.stream().map(TaskSlot::status).toList();
    }

    /** The configurations of the tasks, by number; references not resolved. */
    public List<Map<String, String>> taskConfigs() {
        return slots.stream().map(TaskSlot::config).toList();
    }

    /** The plugins that are there, as last told. */
    public PluginSet plugins() {
        return plugins;
    }

    private void reconcile() {
        Definition wanted = definition;
        PluginSet available = plugins;
        if (closing) {
            stopAll();
            become(State.UNASSIGNED, Optional.empty());
            return;
        }
        if (!available.isComplete()) {
            stopAll();
            forgetFailure();
            become(State.WAITING, Optional.of(available.missingText()));
            return;
        }
        if (wanted.target() == TargetState.STOPPED) {
            stopAll();
            forgetFailure();
            become(State.STOPPED, Optional.empty());
            return;
        }
        if (running != null && !(running.given.equals(wanted.config()) && running.plugins.sameAs(available))) {
            stopAll();
        }
        if (failed && failedRevision == wanted.revision() && failedPlugins.sameAs(available)) {
            return;
        }
        if (running == null) {
            if (worker.rocketMq().get().isEmpty()) {
                become(State.STARTING, Optional.of(worker.rocketMqMissing().get()));
                return;
            }
            startAll(wanted, available);
        }
        if (running != null) {
            boolean pause = wanted.target() == TargetState.PAUSED;
            slots.forEach(slot -> slot.setPaused(pause));
            become(pause ? State.PAUSED : State.RUNNING, Optional.empty());
        }
    }

    private void forgetFailure() {
        failed = false;
        // It would keep the class loader of a plugin that has gone.
        failedPlugins = null;
    }

    private void startAll(Definition wanted, PluginSet available) {
        become(State.STARTING, Optional.empty());
        forgetFailure();
        try {
            ConnectorConfig config = ConnectorConfig.of(worker.references().resolve(wanted.config()));
            running = new Running(startConnector(config, available), config, wanted.config(), available);
            retask();
        } catch (Exception | LinkageError e) {
            connectorFailed(e);
        }
    }

    private Connector<?> startConnector(ConnectorConfig config, PluginSet available) throws Exception {
        PluginFactory factory = available.plugins().get(ConnectorConfig.CONNECTOR);
        KeyValue values = KeyValues.of(config.values());
        values.put("name", name);
        return PluginCall.call(factory.classLoader(), () -> {
            Connector<?> connector = (Connector<?>) factory.create();
            connector.validate(values);
            connector.init(new RunningConnectorContext(name, worker.offsets(), this::requestRetask, this::raised));
            try {
                connector.start(values);
                return connector;
            } catch (Exception | LinkageError e) {
                connector.stop();
                throw e;
            }
        });
    }

    private void requestRetask() {
        serial.execute(() -> {
            if (running != null) {
                try {
                    retask();
                } catch (Exception | LinkageError e) {
                    connectorFailed(e);
                }
            }
        });
    }

    private void raised(Exception error) {
        serial.execute(() -> {
            if (running != null) {
                connectorFailed(error);
            }
        });
    }

    /** Asks the connector for its tasks and starts those; tasks that are as before go on. */
    private void retask() throws Exception {
        Running present = running;
        ClassLoader loader = present.plugins.plugins().get(ConnectorConfig.CONNECTOR).classLoader();
        List<KeyValue> configs = PluginCall.call(loader, () -> present.connector.taskConfigs(present.config.tasksMax()));
        List<Map<String, String>> wanted = new ArrayList<>();
        for (KeyValue config : configs) {
            Map<String, String> merged = new java.util.TreeMap<>(present.config.values());
            merged.putAll(io.sluice.spi.config.Config.toMap(config));
            wanted.add(merged);
        }
        if (wanted.size() > present.config.tasksMax()) {
            throw new IllegalStateException("the connector made " + wanted.size() + " tasks although tasks.max is " + present.config.tasksMax());
        }
        List<TaskSlot> before = slots;
        if (!before.isEmpty() && before.stream().map(TaskSlot::config).toList().equals(wanted)) {
            return;
        }
        stopSlots(before, present.config.stopTimeout());
        List<TaskSlot> next = new ArrayList<>();
        for (int id = 0; id < wanted.size(); id++) {
            next.add(new TaskSlot(id, wanted.get(id), stateInfo(State.STARTING, Optional.empty(), Optional.empty())));
        }
        slots = List.copyOf(next);
        next.forEach(this::startSlot);
    }

    private void startSlot(TaskSlot slot) {
        Running present = running;
        try {
            slot.run(createTask(present, slot));
        } catch (Exception | LinkageError e) {
            LOG.error("task {}-{}: cannot be started: {}", name, slot.id(), e.toString(), e);
            slot.failed(stateInfo(State.FAILED, Optional.of(String.valueOf(e.getMessage())), Optional.of(traceOf(e))));
            worker.events().add(name, slot.id(), "FAILED: " + e.getMessage());
        }
    }

    private TaskRunner createTask(Running present, TaskSlot slot) throws Exception {
        PluginFactory factory = present.plugins.plugins().get(ConnectorConfig.CONNECTOR);
        RocketMq rocketMq = worker.rocketMq().get().orElseThrow(() -> new IllegalStateException(worker.rocketMqMissing().get()));
        Task<?> task = PluginCall.call(factory.classLoader(), () -> factory.createTask(present.connector, present.connector.taskClass()));
        TaskSetup setup = new TaskSetup(name, slot.id(), slots.size(), present.config, slot.config(), present.plugins.plugins(), task);
        boolean paused = definition.target() == TargetState.PAUSED;
        return task instanceof SourceTask
            ? new SourceTaskRunner(setup, rocketMq, worker.offsets(), worker.wire(), worker.workerId(), worker.clock(), paused,
                taskState -> taskChanged(slot, taskState))
            : new SinkTaskRunner(setup, rocketMq, worker.wire(), worker.workerId(), worker.clock(), paused,
                taskState -> taskChanged(slot, taskState));
    }

    private void taskChanged(TaskSlot slot, StateInfo taskState) {
        slot.remember(taskState);
        worker.events().add(name, slot.id(), taskState.state() + taskState.reason().map(reason -> ": " + reason).orElse(""));
    }

    private void connectorFailed(Throwable error) {
        LOG.error("connector '{}': failed: {}", name, error.toString(), error);
        stopAll();
        failed = true;
        failedRevision = definition.revision();
        failedPlugins = plugins;
        state = stateInfo(State.FAILED, Optional.of(String.valueOf(error.getMessage() == null ? error : error.getMessage())), Optional.of(traceOf(error)));
        worker.events().add(name, null, "FAILED: " + error.getMessage());
    }

    private static String traceOf(Throwable error) {
        StringWriter trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    private void stopAll() {
        Running before = running;
        if (before == null) {
            return;
        }
        stopSlots(slots, before.config.stopTimeout());
        slots = List.of();
        stopConnector(before);
        running = null;
    }

    /** Stops tasks side by side, so that one that hangs costs its own time only once. */
    private void stopSlots(List<TaskSlot> stopping, Duration timeout) {
        CountDownLatch left = new CountDownLatch(stopping.size());
        for (TaskSlot slot : stopping) {
            worker.pool().execute(() -> {
                try {
                    slot.stop(timeout);
                } finally {
                    left.countDown();
                }
            });
        }
        try {
            if (!left.await(timeout.toMillis() + 2_000, TimeUnit.MILLISECONDS)) {
                LOG.error("connector '{}': {} of {} tasks did not stop in time", name, left.getCount(), stopping.size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopConnector(Running before) {
        PluginFactory factory = before.plugins.plugins().get(ConnectorConfig.CONNECTOR);
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> {
            try {
                PluginCall.run(factory.classLoader(), before.connector::stop);
            } catch (Exception | LinkageError e) {
                LOG.warn("connector '{}': its stop() threw", name, e);
            }
        }, worker.pool());
        try {
            stopped.get(CONNECTOR_STOP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            LOG.error("connector '{}': its stop() did not return within {} ms and is left alone", name, CONNECTOR_STOP.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException e) {
            LOG.warn("connector '{}': its stop() threw", name, e.getCause());
        }
    }

    private void become(State next, Optional<String> reason) {
        if (state.state() == next && state.reason().equals(reason)) {
            return;
        }
        state = stateInfo(next, reason, Optional.empty());
        String text = next + reason.map(why -> ": " + why).orElse("");
        LOG.info("connector '{}': {}", name, text);
        worker.events().add(name, null, text);
    }

    private StateInfo stateInfo(State next, Optional<String> reason, Optional<String> trace) {
        return new StateInfo(next, reason, worker.clock().instant(), worker.workerId(), trace);
    }
}
