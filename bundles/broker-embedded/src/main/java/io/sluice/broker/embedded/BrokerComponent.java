package io.sluice.broker.embedded;

import io.sluice.runtime.EmbeddedBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.metatype.annotations.Designate;

/** Offers the embedded broker as a service. Nothing is started before somebody asks for it. */
@Component(service = EmbeddedBroker.class, configurationPid = "io.sluice.broker")
@Designate(ocd = BrokerKeys.class)
public final class BrokerComponent implements EmbeddedBroker {

    private final BrokerSupervisor supervisor;

    @Activate
    public BrokerComponent(BundleContext context, BrokerKeys keys) {
        String executable = System.getProperty("os.name").startsWith("Windows") ? "java.exe" : "java";
        supervisor = new BrokerSupervisor(new BrokerSettings(
            Path.of(System.getProperty("java.home"), "bin", executable),
            folder(context, "karaf.data", keys.data_folder()), folder(context, "karaf.home", keys.lib_folder()),
            keys.namesrv_port(), keys.broker_port(), keys.heap_mb(), keys.file_mb(), keys.retention_hours(),
            keys.java_options().isBlank() ? List.of() : List.of(keys.java_options().trim().split("\\s+"))));
    }

    private static Path folder(BundleContext context, String base, String path) {
        String root = context.getProperty(base);
        return Path.of(root == null ? "." : root).resolve(path).toAbsolutePath().normalize();
    }

    @Override
    public CompletionStage<String> demand() {
        return supervisor.demand();
    }

    @Deactivate
    void deactivate() {
        supervisor.close();
    }
}
