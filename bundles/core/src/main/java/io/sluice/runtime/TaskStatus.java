package io.sluice.runtime;

import java.util.List;
import java.util.Map;

/**
 * A task's state and what it has done.
 *
 * @param id its number
 * @param state its state with the reason
 * @param failures its latest failures, oldest first, this one included
 * @param figures counters and gauges by name, such as {@code records.polled}, {@code records.sent}, {@code records.put}, {@code lag}
 */
public record TaskStatus(int id, StateInfo state, List<StateInfo> failures, Map<String, Double> figures) {

    public TaskStatus {
        failures = List.copyOf(failures);
        figures = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(figures));
    }
}
