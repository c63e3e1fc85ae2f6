package io.sluice.shell;

import io.sluice.runtime.ConnectorStatus;
import io.sluice.runtime.StateInfo;
import io.sluice.runtime.TaskStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;

/** {@code connect:status}. */
@Service
@Command(scope = "connect", name = "status", description = "Shows why a connector and its tasks are in the state they are in")
public class StatusCommand extends ConnectorAction {

    @Option(name = "--trace", description = "Print the stack traces of failures")
    boolean trace;

    @Override
    void run() throws Exception {
        ConnectorStatus status = connect.status(connector);
        if (json) {
            print(asMap(status));
            return;
        }
        System.out.println(status.name() + ": " + line(status.connector())
            + status.pluginVersion().map(version -> ", on plugin version " + version).orElse(""));
        status.rejectedChange().ifPresent(reason -> System.out.println("  a change was not accepted: " + reason));
        ShellTable table = new ShellTable();
        for (String column : List.of("Task", "State", "Since", "Worker", "Records", "Failures", "Reason")) {
            table.column(column);
        }
        for (TaskStatus task : status.tasks()) {
            table.addRow().addContent(task.id(), task.state().state(), time(task.state().since()), task.state().workerId(), records(task),
                task.failures().size(), task.state().reason().orElse(""));
        }
        table.emptyTableText("no tasks").print(System.out);
        if (trace) {
            status.connector().trace().ifPresent(System.out::println);
            status.tasks().forEach(task -> task.state().trace().ifPresent(text -> System.out.println("task " + task.id() + ": " + text)));
        }
    }

    private static String line(StateInfo state) {
        return state.state() + state.reason().map(reason -> " (" + reason + ")").orElse("") + " since " + time(state.since());
    }

    /** Records sent by a source or put by a sink; only one of the two can be above zero. */
    private static long records(TaskStatus task) {
        return Math.round(task.figures().getOrDefault("records.sent", 0.0) + task.figures().getOrDefault("records.put", 0.0));
    }

    private static Map<String, Object> asMap(ConnectorStatus status) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", status.name());
        map.put("connector", asMap(status.connector()));
        map.put("pluginVersion", status.pluginVersion().orElse(null));
        map.put("rejectedChange", status.rejectedChange().orElse(null));
        List<Map<String, Object>> tasks = new ArrayList<>();
        for (TaskStatus task : status.tasks()) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", task.id());
            shown.putAll(asMap(task.state()));
            shown.put("figures", task.figures());
            tasks.add(shown);
        }
        map.put("tasks", tasks);
        return map;
    }

    private static Map<String, Object> asMap(StateInfo state) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("state", state.state().name());
        map.put("reason", state.reason().orElse(null));
        map.put("since", state.since().toString());
        map.put("worker", state.workerId());
        state.trace().ifPresent(trace -> map.put("trace", trace));
        return map;
    }
}
