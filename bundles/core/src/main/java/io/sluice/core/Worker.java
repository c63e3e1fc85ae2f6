package io.sluice.core;

import io.sluice.core.definition.ConfigurationBridge;
import io.sluice.core.definition.DefinitionCheck;
import io.sluice.core.definition.ReferenceResolver;
import io.sluice.core.plugin.PluginRegistry;
import io.sluice.core.rocketmq.RemotingRocketMq;
import io.sluice.core.rocketmq.WireFormat;
import io.sluice.core.store.ConfigStore;
import io.sluice.core.store.FileStoreLog;
import io.sluice.core.store.LogConfigStore;
import io.sluice.core.store.LogOffsetStore;
import io.sluice.core.store.OffsetStore;
import io.sluice.core.worker.Connectors;
import io.sluice.core.worker.EventLog;
import io.sluice.core.worker.SinkOffsets;
import io.sluice.core.worker.WorkerContext;
import io.sluice.runtime.Connect;
import io.sluice.runtime.EmbeddedBroker;
import io.sluice.runtime.WorkerInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker that is open: its stores, its link to RocketMQ, its connectors, and the services by which others reach them. */
final class Worker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    /** What a worker is opened with; see {@link WorkerKeys}. */
    record Settings(String id, String cluster, String version, String namesrvAddr, Path storeFolder, Path secretsFolder, long stopTimeoutMs) { }

    /** What must be undone, last first. */
    private final Deque<Runnable> undo = new ArrayDeque<>();

    private Worker() {
    }

    /** @throws UncheckedIOException if a store cannot be opened; then nothing is left open */
    static Worker open(Settings settings, BundleContext context, ConfigurationAdmin admin, PluginRegistry registry,
                       Supplier<Optional<EmbeddedBroker>> embedded) {
        Worker worker = new Worker();
        try {
            worker.start(settings, context, admin, registry, embedded);
            return worker;
        } catch (IOException e) {
            worker.close();
            throw new UncheckedIOException(e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            worker.close();
            throw e;
        }
    }

    private void start(Settings settings, BundleContext context, ConfigurationAdmin admin, PluginRegistry registry,
                       Supplier<Optional<EmbeddedBroker>> embedded) throws IOException {
        Clock clock = Clock.systemUTC();
        Instant startedAt = clock.instant();
        EventLog events = new EventLog(clock);
        ExecutorService pool = pool();
        ConfigStore configs = LogConfigStore.open(new FileStoreLog(settings.storeFolder().resolve("config")), clock);
        undo.push(configs::close);
        OffsetStore offsets = LogOffsetStore.open(new FileStoreLog(settings.storeFolder().resolve("offset")));
        undo.push(offsets::close);

        Connectors[] connectors = new Connectors[1];
        RocketMqLink link = new RocketMqLink(settings.namesrvAddr(), embedded,
            address -> RemotingRocketMq.open(new RemotingRocketMq.Settings(address, "sluice-" + settings.id())),
            () -> connectors[0].pokeAll());
        WorkerContext shared = new WorkerContext(settings.id(), offsets, link::rocketMq, link::missing, WireFormat.DEFAULT,
            new ReferenceResolver(System::getenv, context::getProperty, settings.secretsFolder()), pool, clock, events);
        connectors[0] = new Connectors(configs, shared);
        undo.push(link::close);
        link.open();

        DefinitionCheck check = new DefinitionCheck(registry, pool);
        ConfigurationBridge bridge = new ConfigurationBridge(admin, configs, check, events);
        undo.push(bridge::close);
        Supplier<WorkerInfo> info = () -> new WorkerInfo(settings.id(), settings.version(), settings.cluster(), startedAt,
            link.rocketMq().isPresent(), link.rocketMq().isPresent() ? Optional.empty() : Optional.of(link.missing()));
        Connect connect = new ConnectService(info, configs, offsets, connectors[0], registry, check, bridge, new SinkOffsets(shared), events);

        register(context, Connectors.class, connectors[0]);
        register(context, ConfigStore.class, configs);
        register(context, ConfigurationListener.class, bridge);
        register(context, Connect.class, connect);
        // The first to be undone: tasks need everything else for their last commit.
        undo.push(() -> connectors[0].closeAll(Duration.ofMillis(settings.stopTimeoutMs())));
        bridge.open();
        LOG.info("worker '{}' of cluster '{}' is open, {} connectors defined", settings.id(), settings.cluster(), configs.all().size());
    }

    private ExecutorService pool() {
        AtomicInteger count = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), action -> {
            Thread thread = new Thread(action, "sluice-connector-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        undo.push(() -> {
            pool.shutdown();
            try {
                if (!pool.awaitTermination(5, TimeUnit.SECONDS)) {
                    pool.shutdownNow();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return pool;
    }

    private <T> void register(BundleContext context, Class<T> type, T service) {
        ServiceRegistration<T> registration = context.registerService(type, service, null);
        undo.push(() -> {
            try {
                registration.unregister();
            } catch (IllegalStateException e) {
                LOG.debug("{} was unregistered with its bundle", type.getName());
            }
        });
    }

    @Override
    public void close() {
        while (!undo.isEmpty()) {
            try {
                undo.pop().run();
            } catch (RuntimeException e) {
                LOG.warn("while closing the worker", e);
            }
        }
    }
}
