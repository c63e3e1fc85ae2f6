package io.sluice.core.cluster;

import io.sluice.core.cluster.Assignment.Seat;
import io.sluice.core.plugin.PluginNeed;
import io.sluice.spi.allocation.AllocationStrategy;
import io.sluice.spi.allocation.Unit;
import io.sluice.spi.allocation.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Works the next assignment out from the present one. Whatever the strategy answers, a unit's holds are kept for as long as those who have them
 * belong to the cluster and have not released: so no two can own a unit.
 */
final class Proposal {

    private static final String DELETED = "its connector was deleted, or has fewer tasks now";

    private final ClusterState state;
    private final Assignment before;
    private final Event.Definitions definitions;
    private final Rules rules;
    private final SortedMap<String, Seat> members = new TreeMap<>();
    private final Map<MemberId, String> dropped = new TreeMap<>();
    private final SortedMap<String, Announcement> takers = new TreeMap<>();
    private final Map<Unit, Placement> units = new HashMap<>();
    private boolean changed;

    Proposal(ClusterState state, Event.Definitions definitions, Peers peers, Collection<Announcement> candidates, Rules rules) {
        this.state = state;
        this.before = state.assignment();
        this.definitions = definitions;
        this.rules = rules;
        before.members().values().forEach(seat -> peers.gone(seat.member()).ifPresentOrElse(why -> dropped.put(seat.member(), why),
            () -> members.put(seat.member().id(), seat)));
        candidates.forEach(candidate -> members.put(candidate.member().id(), new Seat(candidate.member(), candidate.leaseMs())));
        changed = !members.equals(before.members());
        members.values().forEach(seat -> state.announcement(seat.member()).filter(announced -> announced.phase() == Announcement.Phase.ACTIVE)
            .ifPresent(announced -> takers.put(announced.member().id(), announced)));
    }

    /** @return empty if nothing is to be changed */
    Optional<Assignment> work(AllocationStrategy strategy, String key, MemberId proposer) {
        Map<String, Set<String>> able = able();
        Map<Unit, String> targets = targets(strategy, able);
        long generation = before.generation() + 1;
        for (Unit unit : wantedUnits()) {
            String target = targets.get(unit);
            boolean fits = target != null && takers.containsKey(target) && able.get(unit.connector()).contains(target);
            place(unit, fits ? takers.get(target).member() : null, generation, fits ? "" : why(unit, able));
        }
        before.units().keySet().stream().filter(unit -> !units.containsKey(unit)).forEach(unit -> place(unit, null, generation, DELETED));
        units.values().removeIf(placement -> placement.holds().isEmpty() && placement.vacant().equals(DELETED));
        return changed ? Optional.of(new Assignment(key, generation, proposer, definitions.version(), members, dropped, units)) : Optional.empty();
    }

    private List<Unit> wantedUnits() {
        List<Unit> wanted = new ArrayList<>();
        definitions.connectors().forEach((connector, definition) -> {
            wanted.add(Unit.connector(connector));
            int tasks = definition.tasks() ? state.tasks(connector).map(computed -> computed.configs().size()).orElse(0) : 0;
            for (int task = 0; task < tasks; task++) {
                wanted.add(Unit.task(connector, task));
            }
        });
        wanted.sort(null);
        return wanted;
    }

    private Map<String, Set<String>> able() {
        Map<List<PluginNeed>, Set<String>> byNeeds = new HashMap<>();
        Map<String, Set<String>> able = new HashMap<>();
        definitions.connectors().forEach((connector, wanted) -> able.put(connector, byNeeds.computeIfAbsent(wanted.needs(), needs -> takers.values().stream()
            .filter(taker -> wanted.metBy(taker.plugins())).map(taker -> taker.member().id()).collect(Collectors.toCollection(TreeSet::new)))));
        return able;
    }

    private Map<Unit, String> targets(AllocationStrategy strategy, Map<String, Set<String>> able) {
        Map<Unit, String> present = new HashMap<>();
        before.units().forEach((unit, placement) -> {
            List<Hold> kept = kept(unit, placement);
            if (!kept.isEmpty()) {
                present.put(unit, kept.get(kept.size() - 1).member().id());
            }
        });
        return strategy.allocate(new Workload(new TreeSet<>(takers.keySet()), wantedUnits(), able, present));
    }

    private String why(Unit unit, Map<String, Set<String>> able) {
        if (takers.isEmpty()) {
            return "no worker takes work";
        }
        return able.get(unit.connector()).isEmpty() ? "no worker has " + definitions.connectors().get(unit.connector()).needsText()
            : "the allocation strategy gives it to nobody";
    }

    private List<Hold> kept(Unit unit, Placement placement) {
        List<Hold> kept = new ArrayList<>(placement.holds().size());
        for (Hold hold : placement.holds()) {
            Seat seat = members.get(hold.member().id());
            if (seat != null && seat.member().equals(hold.member()) && !state.isReleased(unit, hold.epoch())) {
                kept.add(hold);
            }
        }
        return kept;
    }

    private void place(Unit unit, MemberId target, long generation, String vacant) {
        Placement old = before.placement(unit);
        List<Hold> holds = old == null ? new ArrayList<>() : kept(unit, old);
        if (target != null && (holds.isEmpty() || !holds.get(holds.size() - 1).member().equals(target))) {
            if (!rules.on(Rules.Rule.HOLDS_ARE_KEPT)) {
                holds.clear();
            }
            holds.add(new Hold(target, generation));
        }
        Placement placement = new Placement(holds, vacant);
        units.put(unit, placement);
        if (old == null || !old.vacant().equals(vacant) || !Objects.equals(old.target(), placement.target())) {
            changed = true;
        }
    }
}
