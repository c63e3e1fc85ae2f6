package io.sluice.core.plugin;

import io.sluice.runtime.PluginInfo;
import io.sluice.spi.PluginFactory;
import java.util.Map;
import java.util.Set;

/**
 * A plugin that is there now.
 *
 * @param info what it is
 * @param factory makes instances of it
 * @param properties its service properties
 */
public record RegisteredPlugin(PluginInfo info, PluginFactory factory, Map<String, Object> properties) {

    public RegisteredPlugin {
        properties = Map.copyOf(properties);
    }

    /** The names beside its class name that a configuration may use: the alias and the simple class name. */
    Set<String> names() {
        String simple = info.className().substring(info.className().lastIndexOf('.') + 1);
        return info.name().equals(simple) ? Set.of(simple) : Set.of(info.name(), simple);
    }
}
