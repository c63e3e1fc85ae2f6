package io.sluice.shell;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code connect:delete}. */
@Service
@Command(scope = "connect", name = "delete", description = "Stops a connector and forgets it and its source offsets")
public class DeleteCommand extends ConnectorAction {

    @Override
    void run() {
        connect.delete(connector, author());
    }
}
