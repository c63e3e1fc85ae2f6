package io.sluice.shell;

import io.sluice.runtime.TargetState;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code connect:pause}. */
@Service
@Command(scope = "connect", name = "pause", description = "Lets a connector hold still; its tasks keep their resources")
public class PauseCommand extends ConnectorAction {

    @Override
    void run() {
        connect.setState(connector, TargetState.PAUSED, author());
    }
}
