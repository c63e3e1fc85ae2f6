package io.sluice.shell;

import io.sluice.runtime.TargetState;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code connect:resume}. */
@Service
@Command(scope = "connect", name = "resume", description = "Lets a paused or stopped connector run")
public class ResumeCommand extends ConnectorAction {

    @Override
    void run() {
        connect.setState(connector, TargetState.RUNNING, author());
    }
}
