package io.sluice.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spi.allocation.AllocationStrategy;
import io.sluice.spi.allocation.Unit;
import io.sluice.spi.allocation.Workload;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class AllocationStrategiesTest {

    private static final List<AllocationStrategy> ALL = List.of(new StickyStrategy(), new ConsistentHashStrategy(), new AverageStrategy());

    private static TreeSet<String> workers(int count) {
        return IntStream.range(0, count).mapToObj(number -> String.format("w%03d", number)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Unit> units(int connectors, int tasks) {
        List<Unit> units = new ArrayList<>();
        for (int connector = 0; connector < connectors; connector++) {
            units.add(Unit.connector("c" + connector));
            for (int task = 0; task < tasks; task++) {
                units.add(Unit.task("c" + connector, task));
            }
        }
        return units;
    }

    private static Map<String, Set<String>> everywhere(List<Unit> units, Set<String> workers) {
        return units.stream().map(Unit::connector).distinct().collect(Collectors.toMap(name -> name, name -> workers));
    }

    private static Workload workload(TreeSet<String> workers, List<Unit> units, Map<Unit, String> present) {
        return new Workload(workers, units, everywhere(units, workers), present);
    }

    private static Map<String, Long> loads(Set<String> workers, Map<Unit, String> allocation) {
        Map<String, Long> loads = new TreeMap<>();
        workers.forEach(worker -> loads.put(worker, 0L));
        allocation.values().forEach(worker -> loads.merge(worker, 1L, Long::sum));
        return loads;
    }

    private static long spread(Map<String, Long> loads) {
        return loads.values().stream().mapToLong(Long::longValue).max().orElse(0) - loads.values().stream().mapToLong(Long::longValue).min().orElse(0);
    }

    private static long moved(Map<Unit, String> before, Map<Unit, String> after) {
        return before.entrySet().stream().filter(entry -> !entry.getValue().equals(after.get(entry.getKey()))).count();
    }

    @Test
    void stickyMovesOnlyTheFairShareToAWorkerThatJoins() {
        List<Unit> units = units(30, 9);
        Map<Unit, String> three = new StickyStrategy().allocate(workload(workers(3), units, Map.of()));
        Map<Unit, String> four = new StickyStrategy().allocate(workload(workers(4), units, three));

        assertThat(spread(loads(workers(3), three))).isLessThanOrEqualTo(1);
        assertThat(spread(loads(workers(4), four))).isLessThanOrEqualTo(1);
        assertThat(moved(three, four)).isEqualTo(75);
        assertThat(four.entrySet().stream().filter(entry -> !entry.getValue().equals(three.get(entry.getKey())))).allMatch(entry -> entry.getValue().equals("w003"));
    }

    @Test
    void stickyMovesNothingBetweenThoseWhoStayWhenOneLeaves() {
        List<Unit> units = units(30, 9);
        Map<Unit, String> four = new StickyStrategy().allocate(workload(workers(4), units, Map.of()));
        TreeSet<String> left = workers(4);
        left.remove("w001");
        Map<Unit, String> three = new StickyStrategy().allocate(workload(left, units, four));

        assertThat(moved(four, three)).isEqualTo(75);
        assertThat(spread(loads(left, three))).isLessThanOrEqualTo(1);
    }

    @Test
    void stickyKeepsTheTasksOfOneConnectorApart() {
        List<Unit> units = units(10, 4);
        Map<Unit, String> placed = new StickyStrategy().allocate(workload(workers(5), units, Map.of()));

        assertThat(placed.entrySet().stream().collect(Collectors.groupingBy(entry -> entry.getKey().connector() + entry.getValue(), Collectors.counting())).values())
            .allMatch(count -> count == 1);
    }

    @Test
    void consistentHashMovesOnlyToAWorkerThatJoins() {
        List<Unit> units = units(200, 4);
        Map<Unit, String> nine = new ConsistentHashStrategy().allocate(workload(workers(9), units, Map.of()));
        Map<Unit, String> ten = new ConsistentHashStrategy().allocate(workload(workers(10), units, Map.of()));

        assertThat(moved(nine, ten)).isBetween(60L, 140L);
        assertThat(nine.entrySet().stream().filter(entry -> !entry.getValue().equals(ten.get(entry.getKey())))
            .map(entry -> ten.get(entry.getKey())).collect(Collectors.toSet())).containsExactly("w009");
    }

    @Test
    void hundredWorkersWithTenThousandTasksAreAllocatedInWellUnderASecond() {
        List<Unit> units = units(500, 20);
        for (AllocationStrategy strategy : ALL) {
            Map<Unit, String> all = strategy.allocate(workload(workers(99), units, Map.of()));
            TreeSet<String> half = workers(100);
            half.removeAll(workers(50));
            long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            Map<Unit, String> joined = strategy.allocate(workload(workers(100), units, all));
            Map<Unit, String> halved = strategy.allocate(workload(half, units, joined));
            strategy.allocate(workload(workers(100), units, halved));
            assertThat((ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began) / 1_000_000)
                .as(strategy.getClass().getSimpleName() + ": ms of this thread for three").isLessThan(1_500);
            assertThat(halved).hasSameSizeAs(units);
        }
    }

    @Property(tries = 300)
    void everyStrategyPlacesWhatCanBePlacedWhereItCanRunAndStaysWithIt(@ForAll long seed) {
        Random random = new Random(seed);
        TreeSet<String> workers = workers(random.nextInt(8));
        List<Unit> units = units(random.nextInt(12), random.nextInt(6));
        Map<String, Set<String>> able = new HashMap<>();
        Map<Unit, String> present = new HashMap<>();
        for (Unit unit : units) {
            able.computeIfAbsent(unit.connector(), name -> workers.stream().filter(worker -> random.nextInt(3) > 0).collect(Collectors.toSet()));
            if (random.nextBoolean()) {
                present.put(unit, "w00" + random.nextInt(9));
            }
        }
        Workload workload = new Workload(workers, units, able, present);
        for (AllocationStrategy strategy : ALL) {
            Map<Unit, String> first = strategy.allocate(workload);
            for (Unit unit : units) {
                if (able.get(unit.connector()).isEmpty()) {
                    assertThat(first).doesNotContainKey(unit);
                } else {
                    assertThat(workload.canRun(first.get(unit), unit)).isTrue();
                }
            }
            assertThat(strategy.allocate(new Workload(workers, units, able, first))).as(strategy.getClass().getSimpleName()).isEqualTo(first);
        }
    }

    @Property(tries = 300)
    void stickyLeavesNobodyWhoCouldGiveToOneWithTwoFewer(@ForAll long seed) {
        Random random = new Random(seed);
        TreeSet<String> workers = workers(1 + random.nextInt(8));
        List<Unit> units = units(random.nextInt(12), random.nextInt(6));
        Map<String, Set<String>> able = new HashMap<>();
        units.forEach(unit -> able.computeIfAbsent(unit.connector(), name -> workers.stream().filter(worker -> random.nextInt(3) > 0).collect(Collectors.toSet())));
        Map<Unit, String> present = units.stream().filter(unit -> random.nextBoolean()).collect(Collectors.toMap(unit -> unit, unit -> "w00" + random.nextInt(3)));

        Map<Unit, String> placed = new StickyStrategy().allocate(new Workload(workers, units, able, present));

        Map<String, Long> loads = loads(workers, placed);
        placed.forEach((unit, worker) -> assertThat(able.get(unit.connector())).allMatch(other -> loads.get(other) >= loads.get(worker) - 1));
    }
}
