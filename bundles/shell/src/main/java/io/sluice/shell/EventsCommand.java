package io.sluice.shell;

import io.sluice.runtime.Event;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;

/** {@code connect:events}. */
@Service
@Command(scope = "connect", name = "events", description = "Shows what has happened lately, newest last")
public class EventsCommand extends ConnectAction {

    @Argument(index = 0, name = "connector", description = "Only events of this connector")
    @Completion(ConnectorNames.class)
    String connector;

    @Override
    void run() throws Exception {
        List<Event> events = connect.events(Optional.ofNullable(connector));
        if (json) {
            print(events.stream().map(event -> Map.of("time", event.time().toString(), "connector", event.connector().orElse(""),
                "task", event.task().map(String::valueOf).orElse(""), "message", event.message())).toList());
            return;
        }
        ShellTable table = new ShellTable();
        for (String column : List.of("Time", "Connector", "Task", "Event")) {
            table.column(column);
        }
        events.forEach(event -> table.addRow().addContent(time(event.time()), event.connector().orElse(""),
            event.task().map(String::valueOf).orElse(""), event.message()));
        table.emptyTableText("nothing has happened yet").print(System.out);
    }
}
