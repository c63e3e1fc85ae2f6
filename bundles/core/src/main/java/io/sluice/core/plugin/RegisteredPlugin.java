package io.sluice.core.plugin;

import io.sluice.runtime.PluginInfo;
import io.sluice.spi.PluginFactory;
import java.util.Map;

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
}
