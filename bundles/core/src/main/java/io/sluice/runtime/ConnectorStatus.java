package io.sluice.runtime;

import io.sluice.spi.PluginKind;
import java.util.List;
import java.util.Optional;

/**
 * Why a connector and its tasks are in the state they are in.
 *
 * @param name the connector
 * @param kind SOURCE or SINK; empty while the plugin is missing
 * @param connector the state of the connector itself
 * @param pluginVersion the version of the plugin that it runs on; empty while it runs on none
 * @param rejectedChange what is wrong with a change that was not accepted, such as an invalid file; the connector keeps running on its
 *     last good configuration meanwhile
 * @param tasks its tasks by number
 */
public record ConnectorStatus(String name, Optional<PluginKind> kind, StateInfo connector, Optional<String> pluginVersion,
                              Optional<String> rejectedChange, List<TaskStatus> tasks) {

    public ConnectorStatus {
        tasks = List.copyOf(tasks);
    }
}
