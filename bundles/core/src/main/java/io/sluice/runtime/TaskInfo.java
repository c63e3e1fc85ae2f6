package io.sluice.runtime;

import java.util.Map;

/**
 * A task as the connector has defined it.
 *
 * @param connector the connector's name
 * @param id the task's number
 * @param config its configuration, values of secret keys masked
 */
public record TaskInfo(String connector, int id, Map<String, String> config) {

    public TaskInfo {
        config = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(config));
    }
}
