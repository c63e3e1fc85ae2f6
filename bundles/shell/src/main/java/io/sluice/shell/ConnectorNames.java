package io.sluice.shell;

import io.sluice.runtime.Connect;
import io.sluice.runtime.ConnectorInfo;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes the names of connectors. */
@Service
public class ConnectorNames implements Completer {

    @Reference
    Connect connect;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        return new StringsCompleter(connect.connectors().stream().map(ConnectorInfo::name).toList()).complete(session, line, candidates);
    }
}
