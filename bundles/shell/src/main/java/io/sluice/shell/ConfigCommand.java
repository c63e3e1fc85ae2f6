package io.sluice.shell;

import io.sluice.runtime.ConnectorInfo;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;

/** {@code connect:config}. */
@Service
@Command(scope = "connect", name = "config", description = "Shows the configuration of a connector")
public class ConfigCommand extends ConnectorAction {

    @Override
    void run() throws Exception {
        ConnectorInfo info = connect.connector(connector);
        if (json) {
            print(info.config());
            return;
        }
        System.out.println("revision " + info.revision() + " by " + info.changedBy() + " at " + info.changedAt() + ", target state " + info.target());
        ShellTable table = new ShellTable();
        table.column("Key");
        table.column("Value");
        info.config().forEach((key, value) -> table.addRow().addContent(key, value));
        table.print(System.out);
    }
}
