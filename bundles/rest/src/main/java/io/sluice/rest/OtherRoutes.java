package io.sluice.rest;

import io.sluice.runtime.Connect;
import io.sluice.runtime.Event;
import io.sluice.runtime.PluginInfo;
import io.sluice.runtime.WorkerInfo;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The routes about the worker and its plugins. */
final class OtherRoutes {

    /** The level of Kafka Connect's REST contract that is met; clients decide by it which requests they may send. */
    private static final String CONTRACT = "4.1.0";

    private final Connect connect;

    OtherRoutes(Connect connect) {
        this.connect = connect;
    }

    void addTo(Router router) {
        router.add("GET", "/", Role.VIEWER, this::root)
            .add("GET", "/health", Role.VIEWER, this::health)
            .add("GET", "/connector-plugins", Role.VIEWER, this::plugins)
            .add("GET", "/connector-plugins/{plugin}/config", Role.VIEWER,
                call -> Reply.ok(Shapes.keys(connect.configuration(call.path("plugin")))))
            .add("PUT", "/connector-plugins/{plugin}/config/validate", Role.VIEWER, this::validate)
            .add("GET", "/v1/plugins", Role.VIEWER, this::ownPlugins)
            .add("GET", "/v1/events", Role.VIEWER, this::events);
    }

    private Reply root(Call call) {
        WorkerInfo worker = connect.worker();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("version", CONTRACT);
        body.put("commit", worker.version());
        body.put("kafka_cluster_id", worker.cluster());
        body.put("sluice_version", worker.version());
        body.put("worker_id", worker.id());
        return Reply.ok(body);
    }

    private Reply health(Call call) {
        WorkerInfo worker = connect.worker();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("status", worker.ready() ? "healthy" : "starting");
        body.put("message", worker.notReadyReason().orElse("Worker has completed startup and is ready to handle requests."));
        return Reply.of(worker.ready() ? 200 : 503, body);
    }

    private Reply plugins(Call call) {
        boolean connectorsOnly = call.flag("connectorsOnly", true);
        List<PluginInfo> plugins = connect.plugins().stream().filter(plugin -> !connectorsOnly || plugin.kind().isConnector()).toList();
        return Reply.ok(plugins.stream().map(Shapes::plugin).toList());
    }

    private Reply ownPlugins(Call call) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("plugins", connect.plugins().stream().map(Shapes::plugin).toList());
        body.put("problems", connect.pluginProblems());
        return Reply.ok(body);
    }

    private Reply validate(Call call) throws IOException {
        Map<String, String> config = Json.config(call.body());
        String plugin = call.path("plugin");
        String named = config.get("connector.class");
        if (named != null && !sameSimpleName(named, plugin)) {
            throw Json.bad("'connector.class' is '" + named + "' in the configuration, but the path names '" + plugin + "'");
        }
        return Reply.ok(Shapes.report(connect.validate(plugin, config)));
    }

    /** A plugin may be named by class in the one place and by simple name or alias in the other; both must mean the same plugin. */
    private boolean sameSimpleName(String one, String other) {
        return className(one).equals(className(other));
    }

    private String className(String name) {
        return connect.plugins().stream()
            .filter(plugin -> plugin.className().equals(name) || plugin.name().equals(name) || plugin.className().endsWith("." + name))
            .map(PluginInfo::className).findFirst().orElse(name);
    }

    private Reply events(Call call) {
        List<Event> events = connect.events(call.query("connector").stream().findFirst());
        return Reply.ok(events.stream().map(event -> {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("time", event.time().toString());
            body.put("connector", event.connector().orElse(null));
            body.put("task", event.task().map(Object.class::cast).orElse(null));
            body.put("message", event.message());
            return body;
        }).toList());
    }
}
