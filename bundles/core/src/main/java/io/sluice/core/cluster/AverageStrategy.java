package io.sluice.core.cluster;

import io.sluice.spi.allocation.AllocationStrategy;
import io.sluice.spi.allocation.Unit;
import io.sluice.spi.allocation.Workload;
import java.util.Map;
import org.osgi.service.component.annotations.Component;

/** Deals the units out in order, each to the worker that has least so far, wherever they were: even, and the same after any history. */
@Component(service = AllocationStrategy.class, property = AllocationStrategy.NAME + "=average")
public final class AverageStrategy implements AllocationStrategy {

    @Override
    public Map<Unit, String> allocate(Workload workload) {
        Spread spread = new Spread(workload);
        workload.units().forEach(spread::placeWhereLeast);
        return spread.result();
    }
}
