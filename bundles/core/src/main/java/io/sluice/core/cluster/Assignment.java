package io.sluice.core.cluster;

import io.sluice.spi.allocation.Unit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who belongs to the cluster and who holds what, as of one generation. Complete in itself: nothing before it in the log need be known.
 * Immutable.
 */
public final class Assignment {

    /** A member's place. @param leaseMs its lease, after which and a margin others may expel it */
    public record Seat(MemberId member, long leaseMs) { }

    /** What there is before the first one. */
    public static final Assignment NONE = new Assignment("", 0, new MemberId("", ""), 0, new TreeMap<>(), Map.of(), Map.of());

    private final String key;
    private final long generation;
    private final MemberId proposer;
    private final long definitions;
    private final SortedMap<String, Seat> members;
    private final Map<MemberId, String> dropped;
    private final Map<Unit, Placement> units;
    private final Map<MemberId, List<Unit>> byMember = new HashMap<>();

    /**
     * @param key the key of its entry, which no other entry has
     * @param generation its number; the first entry of a number in the log counts, others with it lost
     * @param proposer who wrote it
     * @param definitions how new the connector definitions were that it was made from
     * @param members by worker id
     * @param dropped who was a member until then, and why no more
     * @param units every unit of the cluster
     */
    public Assignment(String key, long generation, MemberId proposer, long definitions, SortedMap<String, Seat> members, Map<MemberId, String> dropped,
                      Map<Unit, Placement> units) {
        this.key = Objects.requireNonNull(key, "key");
        this.generation = generation;
        this.proposer = Objects.requireNonNull(proposer, "proposer");
        this.definitions = definitions;
        this.members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        this.dropped = Map.copyOf(dropped);
        this.units = Collections.unmodifiableMap(new HashMap<>(units));
        this.units.forEach((unit, placement) -> placement.holds().forEach(hold -> {
            List<Unit> held = byMember.computeIfAbsent(hold.member(), member -> new ArrayList<>());
            if (held.isEmpty() || !held.get(held.size() - 1).equals(unit)) {
                held.add(unit);
            }
        }));
    }

    public String key() {
        return key;
    }

    public long generation() {
        return generation;
    }

    public MemberId proposer() {
        return proposer;
    }

    public long definitions() {
        return definitions;
    }

    public SortedMap<String, Seat> members() {
        return members;
    }

    public Map<MemberId, String> dropped() {
        return dropped;
    }

    public Map<Unit, Placement> units() {
        return units;
    }

    public boolean isMember(MemberId member) {
        Seat seat = members.get(member.id());
        return seat != null && seat.member().equals(member);
    }

    /** @return null if there is no such unit */
    Placement placement(Unit unit) {
        return units.get(unit);
    }

    /** The units in whose placement a member occurs. */
    public List<Unit> unitsOf(MemberId member) {
        return Collections.unmodifiableList(byMember.getOrDefault(member, List.of()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Assignment that && key.equals(that.key) && generation == that.generation && proposer.equals(that.proposer)
            && definitions == that.definitions && members.equals(that.members) && dropped.equals(that.dropped) && units.equals(that.units);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return "assignment " + generation + " by " + proposer + ", members " + members.values().stream().map(seat -> seat.member().text()).toList()
            + ", " + units.size() + " units" + (dropped.isEmpty() ? "" : ", dropped " + dropped);
    }
}
