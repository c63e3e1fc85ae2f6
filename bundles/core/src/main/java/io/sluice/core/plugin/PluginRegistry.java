package io.sluice.core.plugin;

import io.sluice.runtime.PluginInfo;
import io.sluice.spi.PluginFactory;
import io.sluice.spi.PluginKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plugins of this worker: every {@link PluginFactory} service, whoever registered it. Any thread. */
@Component(service = PluginRegistry.class)
public final class PluginRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(PluginRegistry.class);

    /** The best first: the highest version, then the highest ranking, then the oldest service. */
    public static final Comparator<Map<String, Object>> BEST_FIRST = Comparator
        .<Map<String, Object>, Version>comparing(properties -> property(properties, PluginFactory.PLUGIN_VERSION, Version.emptyVersion)).reversed()
        .thenComparing(Comparator.<Map<String, Object>>comparingInt(properties -> property(properties, Constants.SERVICE_RANKING, 0)).reversed())
        .thenComparingLong(properties -> property(properties, Constants.SERVICE_ID, 0L));

    private static final Comparator<RegisteredPlugin> BEST_PLUGIN_FIRST = Comparator.comparing(RegisteredPlugin::properties, BEST_FIRST);

    private final PluginProblems problems;
    /** By the id of the service; a factory's own notion of equality is not relied on. */
    private final Map<Long, RegisteredPlugin> plugins = new ConcurrentHashMap<>();

    @Activate
    public PluginRegistry(@Reference PluginProblems problems) {
        this.problems = problems;
    }

    @SuppressWarnings("unchecked")
    private static <T> T property(Map<String, Object> properties, String key, T otherwise) {
        Object value = properties.get(key);
        return otherwise.getClass().isInstance(value) ? (T) value : otherwise;
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addPlugin(PluginFactory factory, Map<String, Object> properties) {
        read(factory, properties).ifPresent(plugin -> {
            plugins.put(serviceId(properties), plugin);
            LOG.info("plugin {} '{}' {} of bundle {} is here", plugin.info().kind().word(), plugin.info().name(), plugin.info().version(),
                plugin.info().bundle());
            ambiguities(plugin).forEach(problem -> LOG.warn("{}", problem.text()));
        });
    }

    void updatedPlugin(PluginFactory factory, Map<String, Object> properties) {
        Optional<RegisteredPlugin> changed = read(factory, properties);
        plugins.compute(serviceId(properties), (id, before) -> changed.orElse(null));
    }

    void removePlugin(PluginFactory factory, Map<String, Object> properties) {
        RegisteredPlugin gone = plugins.remove(serviceId(properties));
        if (gone != null) {
            LOG.info("plugin {} '{}' {} of bundle {} has gone", gone.info().kind().word(), gone.info().name(), gone.info().version(), gone.info().bundle());
        }
    }

    private static long serviceId(Map<String, Object> properties) {
        return property(properties, Constants.SERVICE_ID, -1L);
    }

    private Optional<RegisteredPlugin> read(PluginFactory factory, Map<String, Object> properties) {
        String className = property(properties, PluginFactory.PLUGIN_CLASS, "");
        Optional<PluginKind> kind = PluginKind.of(property(properties, PluginFactory.PLUGIN_KIND, ""))
            .filter(known -> known.word().equals(properties.get(PluginFactory.PLUGIN_KIND)));
        if (className.isEmpty() || kind.isEmpty() || !(properties.get(PluginFactory.PLUGIN_VERSION) instanceof Version version)) {
            LOG.error("service {} is a PluginFactory that is not used, since its properties are not right: '{}' is {}, '{}' is {}, '{}' is {};"
                    + " they need a class name, the lower-case word of a kind, and an org.osgi.framework.Version", serviceId(properties),
                PluginFactory.PLUGIN_CLASS, properties.get(PluginFactory.PLUGIN_CLASS), PluginFactory.PLUGIN_KIND,
                properties.get(PluginFactory.PLUGIN_KIND), PluginFactory.PLUGIN_VERSION, properties.get(PluginFactory.PLUGIN_VERSION));
            return Optional.empty();
        }
        PluginInfo info = new PluginInfo(className, property(properties, PluginFactory.PLUGIN_NAME, className), kind.get(), version.toString(),
            property(properties, PluginFactory.PLUGIN_BUNDLE, ""), property(properties, PluginFactory.PLUGIN_BUNDLE_ID, -1L),
            property(properties, PluginFactory.PLUGIN_DESCRIPTION, ""));
        return Optional.of(new RegisteredPlugin(info, factory, properties));
    }

    /** Every plugin in every version, by kind, alias and version, the highest version first. */
    public List<PluginInfo> plugins() {
        return plugins.values().stream()
            .sorted(Comparator.<RegisteredPlugin, PluginKind>comparing(plugin -> plugin.info().kind()).thenComparing(plugin -> plugin.info().name())
                .thenComparing(BEST_PLUGIN_FIRST))
            .map(RegisteredPlugin::info).toList();
    }

    /** The best plugin that meets a need. */
    public Optional<RegisteredPlugin> find(PluginNeed need) {
        return plugins.values().stream().filter(plugin -> need.matches(plugin.properties())).min(BEST_PLUGIN_FIRST);
    }

    /** What is wrong with plugins now: what their bundles announce wrongly, and names that can mean several plugins. */
    public List<PluginProblem> problems() {
        List<PluginProblem> all = new ArrayList<>(problems.all());
        plugins.values().stream().sorted(BEST_PLUGIN_FIRST.reversed()).flatMap(plugin -> ambiguities(plugin).stream()).distinct().forEach(all::add);
        return List.copyOf(all);
    }

    /** The names of a plugin that can mean another class too. Each is the problem of the plugin that does not get the name. */
    private List<PluginProblem> ambiguities(RegisteredPlugin plugin) {
        List<PluginProblem> found = new ArrayList<>();
        for (RegisteredPlugin other : plugins.values()) {
            if (!other.info().className().equals(plugin.info().className()) && competes(other.info().kind(), plugin.info().kind())) {
                plugin.names().stream().filter(other.names()::contains).forEach(name -> found.add(ambiguity(name, plugin, other)));
            }
        }
        return found;
    }

    /** True if one configuration key can name either. */
    private static boolean competes(PluginKind one, PluginKind other) {
        return one == other || one.isConnector() && other.isConnector();
    }

    private static PluginProblem ambiguity(String name, RegisteredPlugin one, RegisteredPlugin other) {
        boolean oneWins = BEST_PLUGIN_FIRST.compare(one, other) < 0;
        PluginInfo winner = (oneWins ? one : other).info();
        PluginInfo loser = (oneWins ? other : one).info();
        return new PluginProblem(loser.bundle(), loser.version(), loser.bundleId(), "the name '" + name + "' means " + winner.className() + " of bundle "
            + winner.bundle() + " " + winner.version() + " and not " + loser.className() + "; to use the latter, name it by its class");
    }
}
