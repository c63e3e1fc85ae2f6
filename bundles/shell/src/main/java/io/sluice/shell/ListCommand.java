package io.sluice.shell;

import io.sluice.runtime.ConnectorInfo;
import io.sluice.runtime.ConnectorStatus;
import io.sluice.runtime.State;
import io.sluice.spi.PluginKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;

/** {@code connect:list}. */
@Service
@Command(scope = "connect", name = "list", description = "Lists the connectors with their state and the reason for it")
public class ListCommand extends ConnectAction {

    @Override
    void run() throws Exception {
        ShellTable table = new ShellTable();
        for (String column : List.of("Name", "Type", "State", "Tasks", "Plugin", "Reason")) {
            table.column(column);
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        for (ConnectorInfo info : connect.connectors()) {
            ConnectorStatus status = connect.status(info.name());
            long running = status.tasks().stream().filter(task -> task.state().state() == State.RUNNING).count();
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", info.name());
            row.put("type", info.kind().map(PluginKind::word).orElse("unknown"));
            row.put("state", status.connector().state());
            row.put("tasks", running + "/" + status.tasks().size());
            row.put("plugin", info.config().getOrDefault("connector.class", "") + status.pluginVersion().map(version -> " " + version).orElse(""));
            row.put("reason", reason(status));
            rows.add(row);
            table.addRow().addContent(row.values().toArray());
        }
        if (json) {
            print(rows);
        } else {
            table.emptyTableText("no connectors; connect:create makes one").print(System.out);
        }
    }

    /** The most telling reason: a change that was not accepted, the connector's own, or that of its first task that has one. */
    static String reason(ConnectorStatus status) {
        return status.rejectedChange().or(() -> status.connector().reason())
            .or(() -> status.tasks().stream().filter(task -> task.state().reason().isPresent()).findFirst()
                .map(task -> "task " + task.id() + ": " + task.state().reason().orElse("")))
            .orElse("");
    }
}
