package io.sluice.core.plugin;

import io.sluice.runtime.PluginInfo;
import io.sluice.spi.PluginFactory;
import io.sluice.spi.PluginKind;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;
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

    private final Map<PluginFactory, RegisteredPlugin> plugins = new ConcurrentHashMap<>();

    @SuppressWarnings("unchecked")
    private static <T> T property(Map<String, Object> properties, String key, T otherwise) {
        Object value = properties.get(key);
        return otherwise.getClass().isInstance(value) ? (T) value : otherwise;
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addPlugin(PluginFactory factory, Map<String, Object> properties) {
        String className = property(properties, PluginFactory.PLUGIN_CLASS, "");
        Optional<PluginKind> kind = PluginKind.of(property(properties, PluginFactory.PLUGIN_KIND, ""));
        if (className.isEmpty() || kind.isEmpty()) {
            LOG.warn("service {} is a PluginFactory without a right '{}' and '{}' and is not used", properties.get(Constants.SERVICE_ID),
                PluginFactory.PLUGIN_CLASS, PluginFactory.PLUGIN_KIND);
            return;
        }
        PluginInfo info = new PluginInfo(className, property(properties, PluginFactory.PLUGIN_NAME, className), kind.get(),
            property(properties, PluginFactory.PLUGIN_VERSION, Version.emptyVersion).toString(), property(properties, PluginFactory.PLUGIN_BUNDLE, ""),
            property(properties, PluginFactory.PLUGIN_BUNDLE_ID, -1L), property(properties, PluginFactory.PLUGIN_DESCRIPTION, ""));
        plugins.put(factory, new RegisteredPlugin(info, factory, properties));
        LOG.info("plugin {} '{}' {} from bundle {} is here", info.kind().word(), info.name(), info.version(), info.bundleId());
    }

    void removePlugin(PluginFactory factory) {
        RegisteredPlugin gone = plugins.remove(factory);
        if (gone != null) {
            LOG.info("plugin {} '{}' {} from bundle {} has gone", gone.info().kind().word(), gone.info().name(), gone.info().version(), gone.info().bundleId());
        }
    }

    /** Every plugin in every version, by kind, alias and version, the highest version first. */
    public List<PluginInfo> plugins() {
        return plugins.values().stream()
            .sorted(Comparator.<RegisteredPlugin, PluginKind>comparing(plugin -> plugin.info().kind()).thenComparing(plugin -> plugin.info().name())
                .thenComparing(RegisteredPlugin::properties, BEST_FIRST))
            .map(RegisteredPlugin::info).toList();
    }

    /** The best plugin that meets a need. */
    public Optional<RegisteredPlugin> find(PluginNeed need) {
        return plugins.values().stream().filter(plugin -> need.matches(plugin.properties())).min(Comparator.comparing(RegisteredPlugin::properties, BEST_FIRST));
    }
}
