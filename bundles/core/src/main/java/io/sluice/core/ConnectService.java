package io.sluice.core;

import io.sluice.core.definition.ConfigurationBridge;
import io.sluice.core.definition.ConnectorConfig;
import io.sluice.core.definition.DefinitionCheck;
import io.sluice.core.definition.SecretMask;
import io.sluice.core.plugin.PluginNeed;
import io.sluice.core.plugin.PluginProblem;
import io.sluice.core.plugin.PluginRegistry;
import io.sluice.core.plugin.RegisteredPlugin;
import io.sluice.core.store.ConfigStore;
import io.sluice.core.store.Definition;
import io.sluice.core.store.OffsetStore;
import io.sluice.core.store.StaleRevisionException;
import io.sluice.core.worker.ConnectorRunner;
import io.sluice.core.worker.Connectors;
import io.sluice.core.worker.EventLog;
import io.sluice.core.worker.SinkOffsets;
import io.sluice.runtime.ConfigReport;
import io.sluice.runtime.Connect;
import io.sluice.runtime.ConnectorInfo;
import io.sluice.runtime.ConnectorStatus;
import io.sluice.runtime.ErrorCode;
import io.sluice.runtime.Event;
import io.sluice.runtime.OffsetInfo;
import io.sluice.runtime.PluginInfo;
import io.sluice.runtime.SluiceException;
import io.sluice.runtime.State;
import io.sluice.runtime.StateInfo;
import io.sluice.runtime.TargetState;
import io.sluice.runtime.TaskInfo;
import io.sluice.runtime.TaskStatus;
import io.sluice.runtime.WorkerInfo;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.ConfigDefinition;
import io.sluice.spi.config.ConfigProblem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@link Connect} over the store and the connectors of this worker: changes go to the store, and come back through ConfigAdmin. */
final class ConnectService implements Connect {

    private static final long CHANGE_TIMEOUT_S = 10;

    private final Supplier<WorkerInfo> worker;
    private final ConfigStore store;
    private final OffsetStore offsets;
    private final Connectors connectors;
    private final PluginRegistry registry;
    private final DefinitionCheck check;
    private final ConfigurationBridge bridge;
    private final SinkOffsets sinkOffsets;
    private final EventLog events;

    ConnectService(Supplier<WorkerInfo> worker, ConfigStore store, OffsetStore offsets, Connectors connectors, PluginRegistry registry,
                   DefinitionCheck check, ConfigurationBridge bridge, SinkOffsets sinkOffsets, EventLog events) {
        this.worker = worker;
        this.store = store;
        this.offsets = offsets;
        this.connectors = connectors;
        this.registry = registry;
        this.check = check;
        this.bridge = bridge;
        this.sinkOffsets = sinkOffsets;
        this.events = events;
    }

    @Override
    public WorkerInfo worker() {
        return worker.get();
    }

    @Override
    public List<ConnectorInfo> connectors() {
        List<ConnectorInfo> all = new ArrayList<>(store.all().stream().map(this::info).toList());
        bridge.rejected().forEach((name, rejected) -> {
            if (store.get(name).isEmpty()) {
                all.add(info(name, rejected));
            }
        });
        all.sort(java.util.Comparator.comparing(ConnectorInfo::name));
        return all;
    }

    @Override
    public ConnectorInfo connector(String name) {
        return store.get(name).map(this::info)
            .or(() -> bridge.rejected(name).map(rejected -> info(name, rejected)))
            .orElseThrow(() -> unknown(name));
    }

    private ConnectorInfo info(Definition definition) {
        Optional<RegisteredPlugin> plugin = check.connectorPlugin(definition.config());
        List<Integer> tasks = connectors.get(definition.name()).map(runner -> runner.tasks().stream().map(TaskStatus::id).toList()).orElse(List.of());
        return new ConnectorInfo(definition.name(), plugin.map(found -> found.info().kind()),
            SecretMask.mask(definition.config(), DefinitionCheck.definition(plugin)), definition.target(), definition.revision(),
            definition.author(), definition.changedAt(), tasks);
    }

    private ConnectorInfo info(String name, ConfigurationBridge.Rejected rejected) {
        Optional<RegisteredPlugin> plugin = check.connectorPlugin(rejected.config());
        return new ConnectorInfo(name, plugin.map(found -> found.info().kind()),
            SecretMask.mask(rejected.config(), DefinitionCheck.definition(plugin)), TargetState.RUNNING, 0, rejected.author(), Instant.EPOCH, List.of());
    }

    private static SluiceException unknown(String name) {
        return new SluiceException(ErrorCode.UNKNOWN_CONNECTOR, "Connector " + name + " not found");
    }

    private Definition defined(String name) {
        return store.get(name).orElseThrow(() -> unknown(name));
    }

    @Override
    public ConnectorInfo create(String name, Map<String, String> config, TargetState state, String author) {
        if (store.get(name).isPresent()) {
            throw exists(name);
        }
        Map<String, String> own = withoutName(name, config);
        refuseProblems(name, own);
        try {
            return info(await(store.put(name, own, state, author, OptionalLong.of(0)), "create connector '" + name + "'"));
        } catch (SluiceException e) {
            throw e.getCause() instanceof StaleRevisionException ? exists(name) : e;
        }
    }

    private static SluiceException exists(String name) {
        return new SluiceException(ErrorCode.CONNECTOR_EXISTS, "Connector " + name + " already exists");
    }

    @Override
    public PutResult put(String name, Map<String, String> config, String author) {
        Optional<Definition> before = store.get(name);
        Map<String, String> own = SecretMask.unmask(withoutName(name, config), before.map(Definition::config).orElse(Map.of()));
        refuseProblems(name, own);
        TargetState target = before.map(Definition::target).orElse(TargetState.RUNNING);
        Definition after = await(store.put(name, own, target, author, OptionalLong.of(before.map(Definition::revision).orElse(0L))),
            "change connector '" + name + "'");
        return new PutResult(info(after), before.isEmpty());
    }

    private static Map<String, String> withoutName(String name, Map<String, String> config) {
        String inside = config.get("name");
        if (inside != null && !inside.trim().equals(name)) {
            throw new SluiceException(ErrorCode.INVALID_CONFIGURATION, "'name' is '" + inside + "' in the configuration, but the connector is called '"
                + name + "'; leave it out or make them the same");
        }
        Map<String, String> own = new java.util.TreeMap<>(config);
        own.remove("name");
        return own;
    }

    private void refuseProblems(String name, Map<String, String> config) {
        String problems = check.check(name, config).stream().filter(ConfigProblem::isError).map(ConfigProblem::message)
            .collect(Collectors.joining("; "));
        if (!problems.isEmpty()) {
            throw new SluiceException(ErrorCode.INVALID_CONFIGURATION, "the configuration of connector '" + name + "' is not accepted: " + problems);
        }
    }

    private static <T> T await(CompletableFuture<T> change, String what) {
        try {
            return change.get(CHANGE_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new SluiceException(ErrorCode.TIMEOUT, "cannot " + what + ": the store did not confirm it within " + CHANGE_TIMEOUT_S + " s", e);
        } catch (ExecutionException e) {
            ErrorCode code = e.getCause() instanceof StaleRevisionException ? ErrorCode.CONFLICT : ErrorCode.STORE_UNAVAILABLE;
            throw new SluiceException(code, "cannot " + what + ": " + e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SluiceException(ErrorCode.INTERNAL, "cannot " + what + ": interrupted", e);
        }
    }

    @Override
    public void delete(String name, String author) {
        defined(name);
        await(store.delete(name, author), "delete connector '" + name + "'");
        events.add(name, null, "deleted by " + author);
    }

    @Override
    public void setState(String name, TargetState state, String author) {
        Definition before = defined(name);
        if (before.target() != state) {
            await(store.put(name, before.config(), state, author, OptionalLong.of(before.revision())),
                "set connector '" + name + "' to " + state);
            events.add(name, null, "set to " + state + " by " + author);
        }
    }

    @Override
    public ConnectorStatus status(String name) {
        Optional<String> rejected = bridge.rejected(name).map(r -> "the configuration from " + r.author() + " is not accepted: " + r.reason());
        Optional<Definition> definition = store.get(name);
        if (definition.isEmpty()) {
            ConfigurationBridge.Rejected only = bridge.rejected(name).orElseThrow(() -> unknown(name));
            StateInfo state = new StateInfo(State.FAILED, rejected, Instant.EPOCH, worker.get().id(), Optional.empty());
            return new ConnectorStatus(name, info(name, only).kind(), state, Optional.empty(), rejected, List.of());
        }
        Optional<PluginKind> kind = check.connectorPlugin(definition.get().config()).map(plugin -> plugin.info().kind());
        return connectors.get(name).map(runner -> status(runner, kind, rejected)).orElseGet(() ->
            new ConnectorStatus(name, kind, new StateInfo(State.UNASSIGNED, Optional.of("is being handed to this worker"),
                definition.get().changedAt(), worker.get().id(), Optional.empty()), Optional.empty(), rejected, List.of()));
    }

    private static ConnectorStatus status(ConnectorRunner runner, Optional<PluginKind> kind, Optional<String> rejected) {
        return new ConnectorStatus(runner.name(), kind, runner.state(), runner.plugins().version(), rejected, runner.tasks());
    }

    @Override
    public List<TaskInfo> tasks(String name) {
        Definition definition = defined(name);
        ConfigDefinition keys = DefinitionCheck.definition(check.connectorPlugin(definition.config()));
        List<Map<String, String>> configs = connectors.get(name).map(ConnectorRunner::taskConfigs).orElse(List.of());
        List<TaskInfo> tasks = new ArrayList<>();
        for (int id = 0; id < configs.size(); id++) {
            tasks.add(new TaskInfo(name, id, SecretMask.maskResolved(configs.get(id), keys, definition.config())));
        }
        return tasks;
    }

    @Override
    public ConnectorStatus restart(String name, boolean includeTasks, boolean onlyFailed) {
        defined(name);
        ConnectorRunner runner = running(name);
        ConnectorStatus before = status(name);
        runner.restart(includeTasks, onlyFailed);
        return restarting(before, includeTasks, onlyFailed);
    }

    /** The status with what is being restarted shown as such. */
    private static ConnectorStatus restarting(ConnectorStatus status, boolean includeTasks, boolean onlyFailed) {
        StateInfo connector = !onlyFailed || status.connector().state() == State.FAILED ? restarting(status.connector()) : status.connector();
        List<TaskStatus> tasks = status.tasks().stream().map(task -> includeTasks && (!onlyFailed || task.state().state() == State.FAILED)
            ? new TaskStatus(task.id(), restarting(task.state()), task.failures(), task.figures()) : task).toList();
        return new ConnectorStatus(status.name(), status.kind(), connector, status.pluginVersion(), status.rejectedChange(), tasks);
    }

    private static StateInfo restarting(StateInfo state) {
        return new StateInfo(State.RESTARTING, Optional.empty(), state.since(), state.workerId(), Optional.empty());
    }

    private ConnectorRunner running(String name) {
        return connectors.get(name).orElseThrow(() ->
            new SluiceException(ErrorCode.CONFLICT, "connector '" + name + "' is just being handed to this worker; try again in a moment"));
    }

    @Override
    public void restartTask(String name, int task) {
        defined(name);
        if (!running(name).restartTask(task)) {
            throw new SluiceException(ErrorCode.UNKNOWN_TASK, "Task " + name + "-" + task + " not found");
        }
    }

    @Override
    public List<PluginInfo> plugins() {
        return registry.plugins();
    }

    @Override
    public List<String> pluginProblems() {
        return registry.problems().stream().map(PluginProblem::text).toList();
    }

    @Override
    public ConfigDefinition configuration(String plugin) {
        RegisteredPlugin found = plugin(plugin, EnumSet.allOf(PluginKind.class));
        return found.info().kind().isConnector() ? DefinitionCheck.definition(Optional.of(found)) : found.factory().configuration();
    }

    private RegisteredPlugin plugin(String name, java.util.Set<PluginKind> kinds) {
        return registry.find(new PluginNeed(kinds, name, Optional.empty())).orElseThrow(() ->
            new SluiceException(ErrorCode.UNKNOWN_PLUGIN, "no installed plugin is called '" + name + "'; 'connect:plugins' lists those that are"));
    }

    @Override
    public ConfigReport validate(String plugin, Map<String, String> config) {
        RegisteredPlugin found = plugin(plugin, EnumSet.of(PluginKind.SOURCE, PluginKind.SINK));
        Map<String, String> complete = new java.util.TreeMap<>(config);
        complete.putIfAbsent(ConnectorConfig.CONNECTOR, found.info().className());
        ConfigDefinition definition = DefinitionCheck.definition(Optional.of(found));
        return new ConfigReport(found.info().className(), definition,
            SecretMask.mask(DefinitionCheck.effective(definition, complete), definition), check.check(complete));
    }

    @Override
    public List<OffsetInfo> offsets(String name) {
        Definition definition = defined(name);
        boolean sink = check.connectorPlugin(definition.config()).map(plugin -> plugin.info().kind() == PluginKind.SINK).orElse(false);
        if (sink) {
            return sinkOffsets.of(name, ConnectorConfig.of(definition.config()));
        }
        return offsets.all(name).entrySet().stream().map(entry -> new OffsetInfo(entry.getKey(), entry.getValue())).toList();
    }

    @Override
    public List<Event> events(Optional<String> connector) {
        return events.latest(connector);
    }
}
