package io.sluice.shell;

import io.sluice.spi.config.ConfigDefinition;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;

/** {@code connect:plugin-keys}. */
@Service
@Command(scope = "connect", name = "plugin-keys", description = "Lists the configuration keys of a plugin")
public class PluginKeysCommand extends ConnectAction {

    @Argument(index = 0, name = "plugin", description = "The plugin's alias or class name", required = true)
    @Completion(PluginNames.class)
    String plugin;

    @Override
    void run() throws Exception {
        ConfigDefinition definition = connect.configuration(plugin);
        if (json) {
            print(definition.keys().values().stream().map(key -> java.util.Map.of("name", key.name(), "type", key.type().name(),
                "required", key.required(), "default", key.defaultValue().orElse(""), "description", key.description())).toList());
            return;
        }
        ShellTable table = new ShellTable();
        for (String column : List.of("Key", "Type", "Default", "Description")) {
            table.column(column);
        }
        definition.keys().values().forEach(key -> table.addRow().addContent(key.name(), key.type(),
            key.required() ? "(required)" : key.defaultValue().orElse(""), key.description()));
        table.emptyTableText("the plugin states no keys").print(System.out);
    }
}
