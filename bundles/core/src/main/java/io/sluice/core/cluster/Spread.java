package io.sluice.core.cluster;

import io.sluice.spi.allocation.Unit;
import io.sluice.spi.allocation.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who has how much while an allocation is being worked out: by number of units, and of units of one connector. */
final class Spread {

    private final List<String> workers;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, int[]> able = new HashMap<>();
    private final int[] loads;
    private final List<Map<String, List<Unit>>> placed = new ArrayList<>();
    private final Map<Unit, String> result = new HashMap<>();

    Spread(Workload workload) {
        workers = List.copyOf(workload.workers());
        for (String worker : workers) {
            numbers.put(worker, numbers.size());
            placed.add(new HashMap<>());
        }
        loads = new int[workers.size()];
        Map<Object, int[]> shared = new HashMap<>();
        workload.able().forEach((connector, who) -> able.put(connector,
            shared.computeIfAbsent(who, set -> who.stream().filter(numbers::containsKey).mapToInt(numbers::get).sorted().toArray())));
    }

    Map<Unit, String> result() {
        return result;
    }

    int workers() {
        return loads.length;
    }

    int load(int worker) {
        return loads[worker];
    }

    int number(String worker) {
        return numbers.get(worker);
    }

    /** The numbers of those who can run what belongs to a connector, sorted. */
    int[] able(String connector) {
        return able.getOrDefault(connector, new int[0]);
    }

    boolean isAble(String connector, int worker) {
        int[] who = able(connector);
        return who.length == loads.length || java.util.Arrays.binarySearch(who, worker) >= 0;
    }

    /** By connector, what a worker has. */
    Map<String, List<Unit>> of(int worker) {
        return placed.get(worker);
    }

    int count(String connector, int worker) {
        List<Unit> units = placed.get(worker).get(connector);
        return units == null ? 0 : units.size();
    }

    void place(Unit unit, int worker) {
        loads[worker]++;
        placed.get(worker).computeIfAbsent(unit.connector(), name -> new ArrayList<>()).add(unit);
        result.put(unit, workers.get(worker));
    }

    /** Takes back the unit of a connector that was placed last. */
    Unit take(String connector, int worker) {
        loads[worker]--;
        List<Unit> units = placed.get(worker).get(connector);
        Unit unit = units.remove(units.size() - 1);
        if (units.isEmpty()) {
            placed.get(worker).remove(connector);
        }
        result.remove(unit);
        return unit;
    }

    /** Places a unit where there is least, at best where there is least of its connector too; nowhere if nobody can run it. */
    void placeWhereLeast(Unit unit) {
        int best = -1;
        int bestOfSame = 0;
        for (int worker : able(unit.connector())) {
            if (best >= 0 && loads[worker] > loads[best]) {
                continue;
            }
            int same = count(unit.connector(), worker);
            if (best < 0 || loads[worker] < loads[best] || same < bestOfSame) {
                best = worker;
                bestOfSame = same;
            }
        }
        if (best >= 0) {
            place(unit, best);
        }
    }
}
