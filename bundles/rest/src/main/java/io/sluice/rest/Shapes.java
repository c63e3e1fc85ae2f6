package io.sluice.rest;

import io.sluice.runtime.ConfigReport;
import io.sluice.runtime.ConnectorInfo;
import io.sluice.runtime.ConnectorStatus;
import io.sluice.runtime.PluginInfo;
import io.sluice.runtime.State;
import io.sluice.runtime.StateInfo;
import io.sluice.runtime.TaskStatus;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.ConfigDefinition;
import io.sluice.spi.config.ConfigKey;
import io.sluice.spi.config.ConfigProblem;
import io.sluice.spi.config.ConfigType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The bodies of answers, in the shapes of Kafka Connect.
 *
 * @see <a href="https://kafka.apache.org/documentation/#connect_rest">Kafka Connect, REST API</a>
 */
final class Shapes {

    private Shapes() {
    }

    static Map<String, Object> connector(ConnectorInfo info) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("name", info.name());
        body.put("config", config(info));
        body.put("tasks", info.tasks().stream().map(id -> taskId(info.name(), id)).toList());
        body.put("type", type(info.kind()));
        return body;
    }

    static Map<String, String> config(ConnectorInfo info) {
        Map<String, String> config = new TreeMap<>(info.config());
        config.put("name", info.name());
        return config;
    }

    static Map<String, Object> taskId(String connector, int id) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("connector", connector);
        body.put("task", id);
        return body;
    }

    private static String type(Optional<PluginKind> kind) {
        return kind.map(PluginKind::word).orElse("unknown");
    }

    static Map<String, Object> status(ConnectorStatus status) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("name", status.name());
        Map<String, Object> connector = state(status.connector());
        status.pluginVersion().ifPresent(version -> connector.put("version", version));
        body.put("connector", connector);
        body.put("tasks", status.tasks().stream().map(Shapes::task).toList());
        body.put("type", type(status.kind()));
        return body;
    }

    static Map<String, Object> task(TaskStatus task) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("id", task.id());
        body.putAll(state(task.state()));
        return body;
    }

    private static Map<String, Object> state(StateInfo state) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("state", kafkaState(state.state()));
        body.put("worker_id", state.workerId());
        state.trace().ifPresent(trace -> body.put("trace", trace));
        state.reason().ifPresent(reason -> body.put("msg", reason));
        return body;
    }

    /** Kafka Connect's clients do not know the two states that come before RUNNING here. */
    private static String kafkaState(State state) {
        return state == State.WAITING || state == State.STARTING ? State.UNASSIGNED.name() : state.name();
    }

    /** A status with everything that Sluice knows. */
    static Map<String, Object> ownStatus(ConnectorStatus status) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("name", status.name());
        body.put("type", type(status.kind()));
        body.put("connector", ownState(status.connector()));
        body.put("plugin_version", status.pluginVersion().orElse(null));
        body.put("rejected_change", status.rejectedChange().orElse(null));
        body.put("tasks", status.tasks().stream().map(task -> {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", task.id());
            shown.putAll(ownState(task.state()));
            shown.put("failures", task.failures().stream().map(Shapes::ownState).toList());
            shown.put("figures", task.figures());
            return shown;
        }).toList());
        return body;
    }

    private static Map<String, Object> ownState(StateInfo state) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("state", state.state().name());
        body.put("reason", state.reason().orElse(null));
        body.put("since", state.since().toString());
        body.put("worker_id", state.workerId());
        state.trace().ifPresent(trace -> body.put("trace", trace));
        return body;
    }

    static Map<String, Object> plugin(PluginInfo info) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("class", info.className());
        body.put("type", info.kind().word());
        body.put("version", info.version());
        return body;
    }

    /** The keys of a plugin. Kafka Connect's importance and width say how to lay out a form; required keys are the important ones here. */
    static List<Map<String, Object>> keys(ConfigDefinition definition) {
        int[] order = {0};
        return definition.keys().values().stream().map(key -> key(definition, key, ++order[0])).toList();
    }

    private static Map<String, Object> key(ConfigDefinition definition, ConfigKey key, int order) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("name", key.name());
        body.put("type", key.type() == ConfigType.BOOLEAN ? "BOOLEAN" : key.type().name());
        body.put("required", key.required());
        body.put("default_value", key.defaultValue().orElse(null));
        body.put("importance", key.required() ? "HIGH" : "MEDIUM");
        body.put("documentation", key.description());
        body.put("group", definition.title());
        body.put("order_in_group", order);
        body.put("width", "MEDIUM");
        body.put("display_name", key.title());
        body.put("dependents", List.of());
        body.put("order", order);
        return body;
    }

    static Map<String, Object> report(ConfigReport report) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("name", report.plugin());
        body.put("error_count", report.errorCount());
        body.put("groups", List.of(report.definition().title()));
        int[] order = {0};
        List<Map<String, Object>> configs = new java.util.ArrayList<>();
        report.definition().keys().values().forEach(key -> configs.add(entry(report, key(report.definition(), key, ++order[0]), key.name(), key.options().keySet())));
        // Problems of keys that the definition does not list, such as those of transforms, must not go unseen.
        report.problems().stream().map(ConfigProblem::key).distinct().filter(key -> report.definition().key(key).isEmpty())
            .forEach(key -> configs.add(entry(report, null, key, List.of())));
        body.put("configs", configs);
        return body;
    }

    private static Map<String, Object> entry(ConfigReport report, Map<String, Object> definition, String key, java.util.Collection<String> options) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("name", key);
        value.put("value", report.values().get(key));
        value.put("recommended_values", List.copyOf(options));
        value.put("errors", report.problems().stream().filter(problem -> problem.key().equals(key) && problem.isError()).map(ConfigProblem::message).toList());
        value.put("warnings", report.problems().stream().filter(problem -> problem.key().equals(key) && !problem.isError()).map(ConfigProblem::message).toList());
        value.put("visible", true);
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("definition", definition);
        entry.put("value", value);
        return entry;
    }
}
