package io.sluice.core.cluster;

import io.sluice.spi.PluginFactory;
import java.util.Map;
import java.util.Objects;
import org.osgi.framework.Version;

/**
 * A plugin that a worker says it has.
 *
 * @param className its class
 * @param name its alias
 * @param kind the word for what it is
 * @param version the version of its bundle
 */
public record Plugin(String className, String name, String kind, String version) {

    public Plugin {
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(version, "version");
    }

    /** It as the service registry would show it. */
    Map<String, Object> properties() {
        return Map.of(PluginFactory.PLUGIN_CLASS, className, PluginFactory.PLUGIN_NAME, name, PluginFactory.PLUGIN_KIND, kind, PluginFactory.PLUGIN_VERSION,
            Version.valueOf(version));
    }
}
