package io.sluice.spi.allocation;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Decides which worker runs which connectors and tasks. Registered as a service with the property {@link #NAME}.
 *
 * <p>Called on the worker that leads the cluster, whenever workers, plugins, connectors or tasks come or go. How work moves from one worker
 * to another is not its concern: a unit starts at its new place only when it has stopped at the old one.
 */
@ConsumerType
public interface AllocationStrategy {

    /** The service property with the name that a configuration chooses the strategy by. */
    String NAME = "name";

    /**
     * Spreads the work. Must be a function of the workload alone: asked again about what it answered, it answers the same, or units would
     * move for ever. Must answer within a second or so.
     *
     * @return the worker of each unit; a unit that no worker can run is left out. Workers that cannot run a unit are ignored
     */
    Map<Unit, String> allocate(Workload workload);
}
