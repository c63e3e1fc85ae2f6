package io.sluice.core.cluster;

import io.sluice.core.plugin.PluginNeed;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the cluster must know of a connector's definition.
 *
 * @param needs the plugins that a worker must have to run it and its tasks
 * @param tasks false if it has none for now, whatever was computed (its target state is STOPPED)
 */
public record Wanted(List<PluginNeed> needs, boolean tasks) {

    public Wanted {
        needs = List.copyOf(needs);
    }

    boolean metBy(Set<Plugin> plugins) {
        return needs.stream().allMatch(need -> plugins.stream().anyMatch(plugin -> need.matches(plugin.properties())));
    }

    String needsText() {
        return needs.stream().map(PluginNeed::text).collect(Collectors.joining(", "));
    }
}
