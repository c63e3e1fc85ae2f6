package io.sluice.spi.allocation;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is to be spread, over whom, and where it is now.
 *
 * @param workers the ids of the workers that take work, sorted
 * @param units what is to be spread, sorted; none twice
 * @param able by connector, the ids of the workers that have its plugin; may name others than {@code workers}
 * @param present where units are now, or are on their way to; may name workers and units that are gone
 */
public record Workload(SortedSet<String> workers, List<Unit> units, Map<String, Set<String>> able, Map<Unit, String> present) {

    public Workload {
        workers = Collections.unmodifiableSortedSet(new TreeSet<>(workers));
        units = units.stream().sorted().toList();
        able = Collections.unmodifiableMap(new TreeMap<>(able));
        present = Map.copyOf(present);
    }

    /** True if a worker takes work and has the plugin of a unit's connector. */
    public boolean canRun(String worker, Unit unit) {
        return workers.contains(worker) && able.getOrDefault(unit.connector(), Set.of()).contains(worker);
    }
}
