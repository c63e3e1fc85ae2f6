package io.sluice.core.cluster;

import io.sluice.spi.allocation.AllocationStrategy;
import io.sluice.spi.allocation.Unit;
import io.sluice.spi.allocation.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.osgi.service.component.annotations.Component;

/**
 * Leaves everything where it is, unless its worker is gone or lacks the plugin, or has at least two units more than another worker that
 * could run one of them. Units of one connector are kept apart where there is a choice.
 */
@Component(service = AllocationStrategy.class, property = AllocationStrategy.NAME + "=" + StickyStrategy.STICKY)
public final class StickyStrategy implements AllocationStrategy {

    /** The name of the strategy. */
    public static final String STICKY = "sticky";

    @Override
    public Map<Unit, String> allocate(Workload workload) {
        Spread spread = new Spread(workload);
        List<Unit> homeless = new ArrayList<>();
        for (Unit unit : workload.units()) {
            String present = workload.present().get(unit);
            if (present != null && workload.canRun(present, unit)) {
                spread.place(unit, spread.number(present));
            } else {
                homeless.add(unit);
            }
        }
        homeless.forEach(spread::placeWhereLeast);
        while (balance(spread)) {
            // Giving may have made room for others to give.
        }
        return spread.result();
    }

    /** Lets the worker with most give one unit, again and again; those who cannot give are asked once. @return true if anything moved */
    private static boolean balance(Spread spread) {
        boolean moved = false;
        Set<Integer> asked = new HashSet<>();
        while (true) {
            int most = -1;
            for (int worker = 0; worker < spread.workers(); worker++) {
                if (!asked.contains(worker) && (most < 0 || spread.load(worker) > spread.load(most))) {
                    most = worker;
                }
            }
            if (most < 0) {
                return moved;
            }
            if (give(spread, most)) {
                moved = true;
            } else {
                asked.add(most);
            }
        }
    }

    private static boolean give(Spread spread, int giver) {
        List<Integer> takers = IntStream.range(0, spread.workers()).filter(worker -> spread.load(worker) <= spread.load(giver) - 2).boxed()
            .sorted(Comparator.comparingInt(spread::load)).toList();
        for (int taker : takers) {
            String best = null;
            int bestGain = 0;
            for (Map.Entry<String, List<Unit>> units : spread.of(giver).entrySet()) {
                String connector = units.getKey();
                if (spread.isAble(connector, taker)) {
                    int gain = units.getValue().size() - spread.count(connector, taker);
                    if (best == null || gain > bestGain || gain == bestGain && connector.compareTo(best) < 0) {
                        best = connector;
                        bestGain = gain;
                    }
                }
            }
            if (best != null) {
                spread.place(spread.take(best, giver), taker);
                return true;
            }
        }
        return false;
    }
}
