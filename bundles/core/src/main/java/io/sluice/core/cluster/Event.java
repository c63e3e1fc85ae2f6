package io.sluice.core.cluster;

import io.sluice.spi.allocation.Unit;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a member is told. */
public sealed interface Event {

    /** The next entry of the status log, whoever wrote it. Also while the log is replayed, before {@link Connected}. */
    record Applied(LogEntry entry) implements Event { }

    /** Time has passed. Wanted every 100 ms or so. */
    record Tick() implements Event { }

    /** The log is replayed to its end and can be written. The first one makes the worker join. */
    record Connected() implements Event { }

    /** The log is known to be out of reach. */
    record Disconnected() implements Event { }

    /**
     * It is proved that a worker's process is over, or that it is another incarnation now.
     *
     * @param why for people
     */
    record ProvedDead(MemberId member, String why) implements Event { }

    /**
     * Which connectors there are. The first one is needed before the member proposes anything.
     *
     * @param version grows with every change of the config store; the same everywhere
     */
    record Definitions(long version, Map<String, Wanted> connectors) implements Event {

        public Definitions {
            connectors = Map.copyOf(connectors);
        }
    }

    /** What plugins the worker has now. */
    record Plugins(Set<Plugin> plugins) implements Event {

        public Plugins {
            plugins = Set.copyOf(plugins);
        }
    }

    /** A unit that was to be stopped has stopped, and nothing of it can send any more. */
    record UnitStopped(Unit unit, long epoch) implements Event { }

    /**
     * The connector that runs here has computed the configurations of its tasks.
     *
     * @param epoch under which it was started
     * @param revision of the definition that they were computed from
     */
    record TasksComputed(String connector, long epoch, long revision, List<Map<String, String>> configs) implements Event {

        public TasksComputed {
            configs = configs.stream().map(Map::copyOf).toList();
        }
    }

    /** The worker shall hand over what it has and leave. */
    record StopRequested() implements Event { }
}
