package io.sluice.shell;

import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code connect:restart}. */
@Service
@Command(scope = "connect", name = "restart", description = "Starts a connector with its tasks, or one task, anew")
public class RestartCommand extends ConnectorAction {

    @Argument(index = 1, name = "task", description = "The number of the one task to restart")
    Integer task;

    @Option(name = "--only-failed", description = "Restart only what is FAILED")
    boolean onlyFailed;

    @Override
    void run() {
        if (task != null) {
            connect.restartTask(connector, task);
        } else {
            connect.restart(connector, true, onlyFailed);
        }
    }
}
