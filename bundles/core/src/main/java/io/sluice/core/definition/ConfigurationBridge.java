package io.sluice.core.definition;

import io.sluice.core.plugin.PluginNeed;
import io.sluice.core.store.ConfigStore;
import io.sluice.core.store.Definition;
import io.sluice.core.worker.EventLog;
import io.sluice.runtime.TargetState;
import io.sluice.spi.config.ConfigProblem;
import java.io.IOException;
import java.util.Collection;
import java.util.Hashtable;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps ConfigAdmin and the config store in agreement, in both directions.
 *
 * <p>There are two configurations for each connector. {@code io.sluice.connector~<name>} is what people wish: files, ConfigAdmin clients
 * and this bridge write it. {@code io.sluice.connector.instance~<name>} is what was accepted: only this bridge writes it, and the connector's
 * component lives by it. A wish that is invalid therefore changes nothing.
 *
 * <p>An edit from outside is told from an echo of our own writing by content: the accepted configuration holds the digest of what was last
 * published to the wished one. Since ConfigAdmin keeps both across restarts, a file that was changed while this worker was down is seen as
 * an edit, and a file that was not changed never overrules the store.
 *
 * <p>All of this happens on one thread, on the present state of things and not on what an event says, so events may come late,
 * twice or in any order.
 */
public final class ConfigurationBridge implements ConfigurationListener, AutoCloseable {

    /** The factory PID of what people wish. */
    public static final String FACTORY_PID = "io.sluice.connector";
    /** The factory PID of what was accepted. */
    static final String INSTANCE_PID = "io.sluice.connector.instance";
    static final String PLUGINS_REFERENCE = "plugins";
    static final String NAME = "connector.name";

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationBridge.class);
    private static final String REVISION = "connector.revision";
    private static final String PUBLISHED = "published.digest";
    private static final long STORE_TIMEOUT_S = 10;

    private final ConfigurationAdmin admin;
    private final ConfigStore store;
    private final DefinitionCheck check;
    private final EventLog events;
    private final ExecutorService loop = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
        action -> new Thread(action, "sluice-definitions"));
    private final Map<String, String> published = new ConcurrentHashMap<>();
    private final Map<String, Rejected> rejected = new ConcurrentHashMap<>();

    /** A wish that was not accepted. */
    public record Rejected(String author, Map<String, String> config, String reason) { }

    public ConfigurationBridge(ConfigurationAdmin admin, ConfigStore store, DefinitionCheck check, EventLog events) {
        this.admin = admin;
        this.store = store;
        this.check = check;
        this.events = events;
    }

    /** Brings both sides together once, and keeps them together from then on. */
    public void open() {
        store.listen(definition -> enqueue(() -> mirror(definition.name())));
        enqueue(this::reconcile);
    }

    /** What is wrong with the wished configuration of a connector, if it was not accepted. */
    public Optional<Rejected> rejected(String name) {
        return Optional.ofNullable(rejected.get(name));
    }

    /** All wishes that were not accepted, by connector. */
    public Map<String, Rejected> rejected() {
        return Map.copyOf(rejected);
    }

    @Override
    public void configurationEvent(ConfigurationEvent event) {
        if (FACTORY_PID.equals(event.getFactoryPid())) {
            enqueue(() -> inspect(nameOf(event.getPid(), FACTORY_PID)));
        }
    }

    private interface Action {
        void run() throws IOException, InterruptedException;
    }

    private void enqueue(Action action) {
        if (loop.isShutdown()) {
            return;
        }
        loop.execute(() -> {
            try {
                action.run();
            } catch (IOException | RuntimeException e) {
                LOG.error("cannot bring ConfigAdmin and the config store together", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void reconcile() throws IOException, InterruptedException {
        Set<String> names = new TreeSet<>();
        for (Configuration accepted : list(INSTANCE_PID)) {
            String name = nameOf(accepted.getPid(), INSTANCE_PID);
            Object digest = accepted.getProperties().get(PUBLISHED);
            if (digest != null) {
                published.put(name, digest.toString());
            }
            names.add(name);
        }
        list(FACTORY_PID).forEach(wish -> names.add(nameOf(wish.getPid(), FACTORY_PID)));
        store.all().forEach(definition -> names.add(definition.name()));
        for (String name : names) {
            inspect(name);
            mirror(name);
        }
    }

    /** Looks whether the wished configuration of a connector was edited from outside, and passes the edit on to the store. */
    private void inspect(String name) throws IOException, InterruptedException {
        Optional<Configuration> wish = find(FACTORY_PID, name);
        Optional<Definition> defined = store.get(name);
        if (wish.isEmpty()) {
            rejected.remove(name);
            if (defined.isPresent() && published.remove(name) != null) {
                await(store.delete(name, "configadmin"), "delete connector '" + name + "'");
            }
            return;
        }
        Map<String, String> content = Contents.of(wish.get().getProperties());
        if (Contents.digest(content).equals(published.get(name))) {
            rejected.remove(name);
            return;
        }
        if (defined.isPresent() && defined.get().config().equals(content)) {
            rejected.remove(name);
            mirror(name);
            return;
        }
        submit(name, content, defined, Contents.author(wish.get().getProperties()));
    }

    private void submit(String name, Map<String, String> content, Optional<Definition> defined, String author) throws InterruptedException {
        String problems = check.check(name, content).stream().filter(ConfigProblem::isError).map(ConfigProblem::message)
            .collect(Collectors.joining("; "));
        if (!problems.isEmpty()) {
            reject(name, new Rejected(author, content, problems));
            return;
        }
        OptionalLong expected = OptionalLong.of(defined.map(Definition::revision).orElse(0L));
        TargetState target = defined.map(Definition::target).orElse(TargetState.RUNNING);
        Optional<String> failure = await(store.put(name, content, target, author, expected), "keep connector '" + name + "'");
        if (failure.isPresent()) {
            reject(name, new Rejected(author, content, failure.get()));
        } else {
            rejected.remove(name);
            events.add(name, null, "changed by " + author);
        }
    }

    private void reject(String name, Rejected rejection) {
        Rejected before = rejected.put(name, rejection);
        if (!rejection.equals(before)) {
            LOG.error("connector '{}': the configuration from {} is not accepted: {}", name, rejection.author(), rejection.reason());
            events.add(name, null, "configuration from " + rejection.author() + " not accepted: " + rejection.reason());
        }
    }

    /** @return why it did not work out; empty if it did */
    private Optional<String> await(java.util.concurrent.CompletableFuture<?> change, String what) throws InterruptedException {
        try {
            change.get(STORE_TIMEOUT_S, TimeUnit.SECONDS);
            return Optional.empty();
        } catch (ExecutionException e) {
            LOG.error("cannot {}: {}", what, e.getCause().getMessage());
            return Optional.of(String.valueOf(e.getCause().getMessage()));
        } catch (TimeoutException e) {
            LOG.error("cannot {}: the config store did not confirm it within {} s", what, STORE_TIMEOUT_S);
            return Optional.of("the config store did not confirm it within " + STORE_TIMEOUT_S + " s");
        }
    }

    /** Writes what the store holds into both configurations. */
    private void mirror(String name) throws IOException {
        Optional<Definition> defined = store.get(name);
        Optional<Configuration> wish = find(FACTORY_PID, name);
        if (defined.isEmpty()) {
            String before = published.remove(name);
            // A wish that was edited since, or was never accepted, is not ours to delete.
            if (before != null && wish.isPresent() && Contents.digest(Contents.of(wish.get().getProperties())).equals(before)) {
                wish.get().delete();
            }
            Optional<Configuration> accepted = find(INSTANCE_PID, name);
            if (accepted.isPresent()) {
                accepted.get().delete();
            }
            return;
        }
        Definition definition = defined.get();
        String digest = Contents.digest(definition.config());
        boolean editedOutside = wish.isPresent() && !Contents.of(wish.get().getProperties()).equals(definition.config())
            && !Contents.digest(Contents.of(wish.get().getProperties())).equals(published.get(name));
        accept(definition, editedOutside ? published.getOrDefault(name, digest) : digest);
        if (!editedOutside) {
            publish(definition, wish);
        }
    }

    private void accept(Definition definition, String digest) throws IOException {
        published.put(definition.name(), digest);
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(NAME, definition.name());
        properties.put(REVISION, definition.revision());
        properties.put(PUBLISHED, digest);
        properties.put(PLUGINS_REFERENCE + ".target", filter(ConnectorConfig.of(definition.config()).needs().values()));
        admin.getFactoryConfiguration(INSTANCE_PID, definition.name(), "?").updateIfDifferent(properties);
    }

    private static String filter(Collection<PluginNeed> needs) {
        return needs.stream().map(PluginNeed::filter).distinct().collect(Collectors.joining("", "(|", ")"));
    }

    private void publish(Definition definition, Optional<Configuration> wish) throws IOException {
        if (wish.isPresent() && Contents.of(wish.get().getProperties()).equals(definition.config())) {
            return;
        }
        Hashtable<String, Object> properties = new Hashtable<>(definition.config());
        wish.ifPresent(present -> Contents.keepOrigin(present.getProperties(), properties));
        Configuration target = wish.isPresent() ? wish.get() : admin.getFactoryConfiguration(FACTORY_PID, definition.name(), "?");
        target.update(properties);
    }

    private Optional<Configuration> find(String factoryPid, String name) throws IOException {
        return listBy("(service.pid=" + Filters.escape(factoryPid + "~" + name) + ")").stream().findFirst();
    }

    private Collection<Configuration> list(String factoryPid) throws IOException {
        return listBy("(service.factoryPid=" + factoryPid + ")");
    }

    private Collection<Configuration> listBy(String filter) throws IOException {
        try {
            Configuration[] found = admin.listConfigurations(filter);
            return found == null ? Set.of() : Set.of(found);
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The connector's name: what follows the factory PID and a tilde. */
    private static String nameOf(String pid, String factoryPid) {
        return pid.length() > factoryPid.length() + 1 ? pid.substring(factoryPid.length() + 1) : pid;
    }

    @Override
    public void close() {
        loop.shutdownNow();
        try {
            if (!loop.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("the thread that keeps ConfigAdmin and the config store together did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
