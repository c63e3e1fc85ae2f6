package io.sluice.shell;

import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;

/** A command about one connector. */
abstract class ConnectorAction extends ConnectAction {

    @Argument(index = 0, name = "connector", description = "The connector's name", required = true)
    @Completion(ConnectorNames.class)
    String connector;
}
