package io.sluice.core.plugin;

import io.sluice.spi.PluginFactory;
import io.sluice.spi.PluginKind;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.Bundle;

/**
 * What a bundle's manifest says about one plugin.
 *
 * @param className the plugin's class
 * @param kind what it is
 * @param name its alias; the class name if it has none
 * @param description one sentence; empty if there is none
 * @param configurationType the annotation type that defines its keys; empty if there is none
 */
record Announcement(String className, PluginKind kind, String name, Optional<String> description, Optional<String> configurationType) {

    /** Attribute of the capability, String: the annotation type with the configuration keys; {@code void} for none. */
    static final String CONFIGURATION = "plugin.configuration";

    /**
     * @param attributes those of a capability
     * @throws IllegalArgumentException if they say too little, or something that cannot be
     */
    static Announcement of(Map<String, Object> attributes) {
        String className = attribute(attributes, PluginFactory.PLUGIN_CLASS).orElseThrow(() -> new IllegalArgumentException(
            "it announces a plugin without a '" + PluginFactory.PLUGIN_CLASS + "': " + attributes));
        PluginKind kind = attribute(attributes, PluginFactory.PLUGIN_KIND).flatMap(PluginKind::of).orElseThrow(() -> new IllegalArgumentException(
            "the '" + PluginFactory.PLUGIN_KIND + "' of plugin " + className + " cannot be '" + attributes.get(PluginFactory.PLUGIN_KIND)
                + "'; it needs one of " + List.of(PluginKind.values())));
        return new Announcement(className, kind, attribute(attributes, PluginFactory.PLUGIN_NAME).orElse(className),
            attribute(attributes, PluginFactory.PLUGIN_DESCRIPTION), attribute(attributes, CONFIGURATION).filter(type -> !type.equals("void")));
    }

    private static Optional<String> attribute(Map<String, Object> attributes, String name) {
        return Optional.ofNullable(attributes.get(name)).map(Object::toString).map(String::trim).filter(text -> !text.isEmpty());
    }

    /** True if a configuration that names one of both could mean the other. */
    boolean collidesWith(Announcement other) {
        return className.equals(other.className) && kind == other.kind
            || name.equals(other.name) && (kind == other.kind || kind.isConnector() && other.kind.isConnector());
    }

    /** The properties of the plugin's service. */
    Dictionary<String, Object> properties(Bundle bundle) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(PluginFactory.PLUGIN_CLASS, className);
        properties.put(PluginFactory.PLUGIN_KIND, kind.word());
        properties.put(PluginFactory.PLUGIN_NAME, name);
        properties.put(PluginFactory.PLUGIN_VERSION, bundle.getVersion());
        properties.put(PluginFactory.PLUGIN_BUNDLE, String.valueOf(bundle.getSymbolicName()));
        properties.put(PluginFactory.PLUGIN_BUNDLE_ID, bundle.getBundleId());
        description.ifPresent(text -> properties.put(PluginFactory.PLUGIN_DESCRIPTION, text));
        return properties;
    }
}
