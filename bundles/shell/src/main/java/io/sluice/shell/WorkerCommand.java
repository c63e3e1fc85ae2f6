package io.sluice.shell;

import io.sluice.runtime.WorkerInfo;
import java.util.Map;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code connect:worker}. */
@Service
@Command(scope = "connect", name = "worker", description = "Shows this worker")
public class WorkerCommand extends ConnectAction {

    @Override
    void run() throws Exception {
        WorkerInfo worker = connect.worker();
        if (json) {
            print(Map.of("id", worker.id(), "version", worker.version(), "cluster", worker.cluster(), "startedAt", worker.startedAt().toString(),
                "ready", worker.ready(), "notReadyReason", worker.notReadyReason().orElse("")));
            return;
        }
        System.out.println("worker '" + worker.id() + "' of cluster '" + worker.cluster() + "', version " + worker.version()
            + ", since " + time(worker.startedAt()) + ": " + (worker.ready() ? "ready" : "not ready: " + worker.notReadyReason().orElse("")));
    }
}
