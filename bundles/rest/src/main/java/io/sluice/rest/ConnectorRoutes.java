package io.sluice.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.runtime.Connect;
import io.sluice.runtime.ConnectorInfo;
import io.sluice.runtime.ConnectorStatus;
import io.sluice.runtime.ErrorCode;
import io.sluice.runtime.SluiceException;
import io.sluice.runtime.TargetState;
import io.sluice.runtime.TaskStatus;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The routes about connectors and their tasks. */
final class ConnectorRoutes {

    private static final Set<String> CREATE_KEYS = Set.of("name", "config", "initial_state");

    private final Connect connect;

    ConnectorRoutes(Connect connect) {
        this.connect = connect;
    }

    void addTo(Router router) {
        router.add("GET", "/connectors", Role.VIEWER, this::list)
            .add("POST", "/connectors", Role.ADMIN, this::create)
            .add("GET", "/connectors/{name}", Role.VIEWER, call -> Reply.ok(Shapes.connector(connect.connector(call.path("name")))))
            .add("DELETE", "/connectors/{name}", Role.ADMIN, this::delete)
            .add("GET", "/connectors/{name}/config", Role.VIEWER, call -> Reply.ok(Shapes.config(connect.connector(call.path("name")))))
            .add("PUT", "/connectors/{name}/config", Role.ADMIN, this::put)
            .add("GET", "/connectors/{name}/status", Role.VIEWER, call -> Reply.ok(Shapes.status(connect.status(call.path("name")))))
            .add("GET", "/connectors/{name}/offsets", Role.VIEWER, this::offsets)
            .add("GET", "/connectors/{name}/tasks", Role.VIEWER, this::tasks)
            .add("GET", "/connectors/{name}/tasks/{task}/status", Role.VIEWER, this::taskStatus)
            .add("POST", "/connectors/{name}/tasks/{task}/restart", Role.OPERATOR, this::restartTask)
            .add("POST", "/connectors/{name}/restart", Role.OPERATOR, this::restart)
            .add("PUT", "/connectors/{name}/pause", Role.OPERATOR, call -> setState(call, TargetState.PAUSED, 202))
            .add("PUT", "/connectors/{name}/resume", Role.OPERATOR, call -> setState(call, TargetState.RUNNING, 202))
            .add("PUT", "/connectors/{name}/stop", Role.OPERATOR, call -> setState(call, TargetState.STOPPED, 204))
            .add("GET", "/v1/connectors/{name}/status", Role.VIEWER, call -> Reply.ok(Shapes.ownStatus(connect.status(call.path("name")))));
    }

    private Reply list(Call call) {
        List<String> expand = call.query("expand");
        List<ConnectorInfo> all = connect.connectors();
        boolean status = expand.contains("status");
        boolean info = expand.contains("info");
        if (!status && !info) {
            return Reply.ok(all.stream().map(ConnectorInfo::name).toList());
        }
        Map<String, Object> expanded = new LinkedHashMap<>();
        for (ConnectorInfo connector : all) {
            try {
                Map<String, Object> entry = new LinkedHashMap<>();
                if (status) {
                    entry.put("status", Shapes.status(connect.status(connector.name())));
                }
                if (info) {
                    entry.put("info", Shapes.connector(connector));
                }
                expanded.put(connector.name(), entry);
            } catch (SluiceException e) {
                // Deleted between the two looks: it is not part of the list any more.
                if (e.code() != ErrorCode.UNKNOWN_CONNECTOR) {
                    throw e;
                }
            }
        }
        return Reply.ok(expanded);
    }

    private Reply create(Call call) throws IOException {
        ObjectNode body = call.body();
        body.fieldNames().forEachRemaining(key -> {
            if (!CREATE_KEYS.contains(key)) {
                throw Json.bad("'" + key + "' is not a key of this request; it takes name, config and initial_state");
            }
        });
        String name = text(body, "name").trim();
        if (!(body.get("config") instanceof ObjectNode config)) {
            throw Json.bad("'config' is missing; it needs an object of keys and values");
        }
        ConnectorInfo created = connect.create(name, Json.config(config), initialState(body), call.author());
        return new Reply(201, Shapes.connector(created), location(name));
    }

    private static String text(ObjectNode body, String key) {
        JsonNode value = body.get(key);
        if (value == null || !value.isTextual() || value.asText().isBlank()) {
            throw Json.bad("'" + key + "' is missing; it needs a text");
        }
        return value.asText();
    }

    private static TargetState initialState(ObjectNode body) {
        JsonNode state = body.get("initial_state");
        if (state == null || state.isNull()) {
            return TargetState.RUNNING;
        }
        try {
            return TargetState.valueOf(state.asText().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw Json.bad("'initial_state' cannot be " + state + "; it needs RUNNING, PAUSED or STOPPED");
        }
    }

    private static Map<String, String> location(String name) {
        return Map.of("Location", "/connectors/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"));
    }

    private Reply put(Call call) throws IOException {
        String name = call.path("name");
        Connect.PutResult result = connect.put(name, Json.config(call.body()), call.author());
        Object body = Shapes.connector(result.connector());
        return result.created() ? new Reply(201, body, location(name)) : Reply.ok(body);
    }

    private Reply delete(Call call) {
        connect.delete(call.path("name"), call.author());
        return Reply.empty(204);
    }

    private Reply setState(Call call, TargetState state, int status) {
        connect.setState(call.path("name"), state, call.author());
        return Reply.empty(status);
    }

    private Reply restart(Call call) {
        boolean includeTasks = call.flag("includeTasks", false);
        boolean onlyFailed = call.flag("onlyFailed", false);
        ConnectorStatus status = connect.restart(call.path("name"), includeTasks, onlyFailed);
        return includeTasks || onlyFailed ? Reply.of(202, Shapes.status(status)) : Reply.empty(204);
    }

    private Reply restartTask(Call call) {
        connect.restartTask(call.path("name"), taskNumber(call));
        return Reply.empty(204);
    }

    private Reply tasks(Call call) {
        return Reply.ok(connect.tasks(call.path("name")).stream().map(task -> {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("id", Shapes.taskId(task.connector(), task.id()));
            body.put("config", task.config());
            return body;
        }).toList());
    }

    private Reply taskStatus(Call call) {
        int number = taskNumber(call);
        TaskStatus found = connect.status(call.path("name")).tasks().stream().filter(task -> task.id() == number).findFirst()
            .orElseThrow(() -> new SluiceException(ErrorCode.UNKNOWN_TASK, "No status found for task " + call.path("name") + "-" + number));
        return Reply.ok(Shapes.task(found));
    }

    private static int taskNumber(Call call) {
        try {
            return Integer.parseInt(call.path("task"));
        } catch (NumberFormatException e) {
            throw new SluiceException(ErrorCode.UNKNOWN_TASK, "'" + call.path("task") + "' is not the number of a task", e);
        }
    }

    private Reply offsets(Call call) {
        boolean sink = connect.connector(call.path("name")).kind().map(kind -> kind == io.sluice.spi.PluginKind.SINK).orElse(false);
        return Reply.ok(Map.of("offsets", connect.offsets(call.path("name")).stream().map(offset -> {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("partition", sink ? kafkaNames(offset.partition()) : offset.partition());
            body.put("offset", sink ? kafkaNames(offset.offset()) : offset.offset());
            return body;
        }).toList()));
    }

    /** Adds the names under which Kafka Connect's clients look for a sink's places. */
    private static Map<String, Object> kafkaNames(Map<String, Object> place) {
        Map<String, Object> named = new LinkedHashMap<>(place);
        Map.of("topic", "kafka_topic", "queueId", "kafka_partition", "queueOffset", "kafka_offset")
            .forEach((ours, theirs) -> {
                if (place.containsKey(ours)) {
                    named.put(theirs, place.get(ours));
                }
            });
        return named;
    }
}
