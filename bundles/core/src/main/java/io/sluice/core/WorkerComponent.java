package io.sluice.core;

import io.sluice.runtime.EmbeddedBroker;
import io.sluice.core.plugin.PluginRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.osgi.framework.BundleContext;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the worker when its configuration and ConfigAdmin are there, and stops it with them. Opening the stores may take a while, so it
 * happens on a thread of its own; the worker's services appear when it is done.
 */
@Component(service = {}, configurationPid = "io.sluice.worker", configurationPolicy = ConfigurationPolicy.OPTIONAL, immediate = true)
@Designate(ocd = WorkerKeys.class)
public final class WorkerComponent {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerComponent.class);

    private final AtomicReference<EmbeddedBroker> embedded = new AtomicReference<>();
    private final ExecutorService starter = Executors.newSingleThreadExecutor(action -> new Thread(action, "sluice-worker-start"));
    private final CompletableFuture<Worker> worker;

    @Activate
    public WorkerComponent(BundleContext context, @Reference ConfigurationAdmin admin, @Reference PluginRegistry registry, WorkerKeys keys) {
        Worker.Settings settings = new Worker.Settings(workerId(keys), keys.cluster_name(), context.getBundle().getVersion().toString(),
            keys.rocketmq_namesrv_addr(), folder(context, "karaf.data", keys.store_folder()), folder(context, "karaf.etc", keys.secrets_folder()),
            keys.stop_timeout_ms());
        worker = CompletableFuture.supplyAsync(
            () -> Worker.open(settings, context, admin, registry, () -> Optional.ofNullable(embedded.get())), starter);
        worker.exceptionally(e -> {
            Throwable why = e.getCause() == null ? e : e.getCause();
            LOG.error("worker '{}' cannot start: {}", settings.id(), why.getMessage(), why);
            return null;
        });
    }

    private static String workerId(WorkerKeys keys) {
        if (!keys.worker_id().isBlank()) {
            return keys.worker_id().trim();
        }
        try {
            return "worker-" + InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // A machine without a resolvable name of its own still needs a worker id.
            return "worker-local";
        }
    }

    private static Path folder(BundleContext context, String base, String path) {
        String root = context.getProperty(base);
        return Path.of(root == null ? "." : root).resolve(path).toAbsolutePath().normalize();
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void setEmbeddedBroker(EmbeddedBroker broker) {
        embedded.set(broker);
    }

    void unsetEmbeddedBroker(EmbeddedBroker broker) {
        embedded.compareAndSet(broker, null);
    }

    @Deactivate
    void deactivate() {
        worker.thenAccept(Worker::close);
        worker.cancel(false);
        starter.shutdown();
    }
}
