package io.sluice.core.definition;

import io.sluice.core.plugin.PluginNeed;
import io.sluice.core.plugin.PluginRegistry;
import io.sluice.core.store.ConfigStore;
import io.sluice.core.store.Definition;
import io.sluice.core.worker.ConnectorRunner;
import io.sluice.core.worker.Connectors;
import io.sluice.core.worker.PluginSet;
import io.sluice.spi.PluginFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * One connector as a component: there is one for each accepted definition, and Declarative Services bring it the plugins that the
 * definition names. The reference is targeted by the filter that {@link ConfigurationBridge} writes into the component's configuration,
 * so a component sees the plugins it wants and no others, in every version that is installed.
 */
@Component(service = {}, configurationPid = ConfigurationBridge.INSTANCE_PID, configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class ConnectorComponent {

    /**
     * How long the going of a plugin waits until nothing uses it any more. A bundle that stops keeps its class loader usable until then,
     * which is why this wait happens on the thread that stops the bundle.
     */
    private static final Duration HAND_BACK = Duration.ofSeconds(20);

    private record Candidate(PluginFactory factory, Map<String, Object> properties) { }

    private final Connectors connectors;
    private final ConfigStore store;
    private final String name;
    private final List<Candidate> candidates = new ArrayList<>();
    private Map<String, PluginNeed> needs = Map.of();
    private ConnectorRunner runner;

    @Activate
    public ConnectorComponent(@Reference Connectors connectors, @Reference ConfigStore store, Map<String, Object> properties) {
        this.connectors = connectors;
        this.store = store;
        this.name = (String) properties.get(ConfigurationBridge.NAME);
    }

    @Activate
    synchronized void activate() {
        store.get(name).ifPresent(definition -> {
            needs = ConnectorConfig.of(definition.config()).needs();
            runner = connectors.open(definition);
            runner.pluginsChanged(choose());
        });
    }

    @Modified
    synchronized void modified() {
        Optional<Definition> definition = store.get(name);
        if (runner == null) {
            activate();
        } else if (definition.isPresent()) {
            needs = ConnectorConfig.of(definition.get().config()).needs();
            runner.defined(definition.get(), choose());
        }
    }

    @Deactivate
    void deactivate() {
        ConnectorRunner closing;
        synchronized (this) {
            closing = runner;
            runner = null;
        }
        if (closing != null) {
            connectors.close(closing);
        }
    }

    @Reference(name = ConfigurationBridge.PLUGINS_REFERENCE, service = PluginFactory.class, cardinality = ReferenceCardinality.MULTIPLE,
        policy = ReferencePolicy.DYNAMIC, target = "(" + PluginFactory.PLUGIN_CLASS + "=none)")
    synchronized void addPlugin(PluginFactory factory, Map<String, Object> properties) {
        candidates.add(new Candidate(factory, Map.copyOf(properties)));
        if (runner != null) {
            runner.pluginsChanged(choose());
        }
    }

    void removePlugin(PluginFactory factory) {
        ConnectorRunner affected;
        PluginSet left;
        synchronized (this) {
            candidates.removeIf(candidate -> candidate.factory() == factory);
            affected = runner;
            left = choose();
        }
        if (affected != null && affected.plugins().plugins().containsValue(factory)) {
            Connectors.await("connector '" + name + "' to let go of a plugin that is going", affected.pluginsChanged(left), HAND_BACK);
        }
    }

    private PluginSet choose() {
        Map<String, PluginFactory> chosen = new LinkedHashMap<>();
        Map<String, String> missing = new LinkedHashMap<>();
        Optional<String> version = Optional.empty();
        for (Map.Entry<String, PluginNeed> entry : needs.entrySet()) {
            PluginNeed need = entry.getValue();
            Optional<Candidate> best = candidates.stream().filter(candidate -> need.matches(candidate.properties()))
                .min(Comparator.comparing(Candidate::properties, PluginRegistry.BEST_FIRST));
            best.ifPresentOrElse(candidate -> chosen.put(entry.getKey(), candidate.factory()),
                () -> missing.put(entry.getKey(), need.text()));
            if (entry.getKey().equals(ConnectorConfig.CONNECTOR)) {
                version = best.map(candidate -> String.valueOf(candidate.properties().get(PluginFactory.PLUGIN_VERSION)));
            }
        }
        return new PluginSet(chosen, missing, version);
    }
}
