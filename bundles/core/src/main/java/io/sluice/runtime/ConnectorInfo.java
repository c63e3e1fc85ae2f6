package io.sluice.runtime;

import io.sluice.spi.PluginKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A connector as it is defined.
 *
 * @param name its name
 * @param kind SOURCE or SINK; empty while the plugin is missing
 * @param config the configuration in force, as given, values of secret keys masked unless they are references
 * @param target what it shall do
 * @param revision the number of this configuration, counted up by every change
 * @param changedBy who made this revision
 * @param changedAt when
 * @param tasks the numbers of its tasks, from 0
 */
public record ConnectorInfo(String name, Optional<PluginKind> kind, Map<String, String> config, TargetState target, long revision,
                            String changedBy, Instant changedAt, List<Integer> tasks) {

    public ConnectorInfo {
        config = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(config));
        tasks = List.copyOf(tasks);
    }
}
