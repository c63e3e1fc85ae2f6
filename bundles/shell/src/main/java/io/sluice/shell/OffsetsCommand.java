package io.sluice.shell;

import io.sluice.runtime.OffsetInfo;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;

/** {@code connect:offsets}. */
@Service
@Command(scope = "connect", name = "offsets", description = "Shows the committed offsets of a connector")
public class OffsetsCommand extends ConnectorAction {

    @Override
    void run() throws Exception {
        List<OffsetInfo> offsets = connect.offsets(connector);
        if (json) {
            print(offsets);
            return;
        }
        ShellTable table = new ShellTable();
        table.column("Partition");
        table.column("Offset");
        offsets.forEach(offset -> table.addRow().addContent(offset.partition(), offset.offset()));
        table.emptyTableText("nothing was committed yet").print(System.out);
    }
}
