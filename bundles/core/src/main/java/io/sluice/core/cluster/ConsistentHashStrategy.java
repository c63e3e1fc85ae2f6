package io.sluice.core.cluster;

import io.sluice.spi.allocation.AllocationStrategy;
import io.sluice.spi.allocation.Unit;
import io.sluice.spi.allocation.Workload;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.osgi.service.component.annotations.Component;

/**
 * Gives each unit to the worker whose hash together with the unit's is highest (rendezvous hashing): the place of a unit depends on nothing
 * but the names, a worker that comes takes its share from all, and the share of one that goes is spread over all. Loads differ by chance.
 */
@Component(service = AllocationStrategy.class, property = AllocationStrategy.NAME + "=consistent-hash")
public final class ConsistentHashStrategy implements AllocationStrategy {

    @Override
    public Map<Unit, String> allocate(Workload workload) {
        Spread spread = new Spread(workload);
        List<String> workers = List.copyOf(workload.workers());
        long[] hashes = workers.stream().mapToLong(ConsistentHashStrategy::hash).toArray();
        Map<Unit, String> result = new HashMap<>();
        for (Unit unit : workload.units()) {
            long hash = hash(unit.text());
            int best = -1;
            long bestWeight = 0;
            for (int worker : spread.able(unit.connector())) {
                long weight = mix(hash ^ hashes[worker]);
                if (best < 0 || weight > bestWeight) {
                    best = worker;
                    bestWeight = weight;
                }
            }
            if (best >= 0) {
                result.put(unit, workers.get(best));
            }
        }
        return result;
    }

    private static long hash(String text) {
        CRC32C sum = new CRC32C();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return mix(sum.getValue() << 32 ^ text.hashCode());
    }

    /** Spreads a small difference over all bits (the finalizer of SplitMix64). */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
