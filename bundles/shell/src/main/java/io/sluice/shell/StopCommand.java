package io.sluice.shell;

import io.sluice.runtime.TargetState;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code connect:stop}. */
@Service
@Command(scope = "connect", name = "stop", description = "Stops a connector; its configuration and offsets are kept")
public class StopCommand extends ConnectorAction {

    @Override
    void run() {
        connect.setState(connector, TargetState.STOPPED, author());
    }
}
