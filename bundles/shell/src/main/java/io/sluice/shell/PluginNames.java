package io.sluice.shell;

import io.sluice.runtime.Connect;
import io.sluice.runtime.PluginInfo;
import java.util.List;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes the aliases and class names of plugins. */
@Service
public class PluginNames implements Completer {

    @Reference
    Connect connect;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        List<PluginInfo> plugins = connect.plugins();
        List<String> names = Stream.concat(plugins.stream().map(PluginInfo::name), plugins.stream().map(PluginInfo::className)).distinct().toList();
        return new StringsCompleter(names).complete(session, line, candidates);
    }
}
