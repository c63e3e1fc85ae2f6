package io.sluice.core.worker;

import io.sluice.spi.PluginFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The plugins that a connector has got, and those that it lacks. Immutable.
 *
 * @param plugins the chosen plugin of each role that could be filled
 * @param missing what is wanted for each role that could not
 * @param version the version of the connector plugin; empty if that is missing
 */
public record PluginSet(Map<String, PluginFactory> plugins, Map<String, String> missing, Optional<String> version) {

    /** Nothing is known yet. */
    public static final PluginSet EMPTY = new PluginSet(Map.of(), Map.of("connector.class", "plugins are being looked for"), Optional.empty());

    public PluginSet {
        plugins = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(plugins));
        missing = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(missing));
        Objects.requireNonNull(version, "version");
    }

    public boolean isComplete() {
        return missing.isEmpty();
    }

    /** True if the same plugins are in the same roles, so that nothing needs to be started anew. */
    boolean sameAs(PluginSet other) {
        return missing.equals(other.missing) && plugins.equals(other.plugins);
    }

    /** One line that says what is missing. */
    String missingText() {
        return missing.entrySet().stream()
            .map(entry -> "plugin missing: " + entry.getValue() + " (named by '" + entry.getKey() + "')")
            .collect(Collectors.joining("; "));
    }
}
