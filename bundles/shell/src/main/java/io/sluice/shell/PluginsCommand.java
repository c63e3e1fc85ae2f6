package io.sluice.shell;

import io.sluice.runtime.PluginInfo;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;

/** {@code connect:plugins}. */
@Service
@Command(scope = "connect", name = "plugins", description = "Lists the installed plugins")
public class PluginsCommand extends ConnectAction {

    @Override
    void run() throws Exception {
        List<PluginInfo> plugins = connect.plugins();
        if (json) {
            print(Map.of("plugins", plugins, "problems", connect.pluginProblems()));
            return;
        }
        ShellTable table = new ShellTable();
        for (String column : List.of("Name", "Kind", "Version", "Class", "Bundle", "Description")) {
            table.column(column);
        }
        plugins.forEach(plugin -> table.addRow().addContent(plugin.name(), plugin.kind().word(), plugin.version(), plugin.className(),
            plugin.bundleId(), plugin.description()));
        table.emptyTableText("no plugins; drop a bundle with connectors in the deploy folder").print(System.out);
        connect.pluginProblems().forEach(problem -> System.out.println("problem: " + problem));
    }
}
