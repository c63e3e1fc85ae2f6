package io.sluice.runtime;

import io.sluice.spi.config.ConfigDefinition;
import io.sluice.spi.config.ConfigProblem;
import java.util.List;
import java.util.Map;

/**
 * The outcome of a validation.
 *
 * @param plugin the class of the connector plugin
 * @param definition all keys, those of the runtime included
 * @param values the values in force: as given, or the default
 * @param problems what is wrong, warnings included
 */
public record ConfigReport(String plugin, ConfigDefinition definition, Map<String, String> values, List<ConfigProblem> problems) {

    public ConfigReport {
        values = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(values));
        problems = List.copyOf(problems);
    }

    /** How many problems keep the configuration from being accepted. */
    public long errorCount() {
        return problems.stream().filter(ConfigProblem::isError).count();
    }
}
