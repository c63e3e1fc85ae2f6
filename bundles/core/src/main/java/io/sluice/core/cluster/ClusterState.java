package io.sluice.core.cluster;

import io.sluice.spi.allocation.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the status log says, up to a position: who belongs to the cluster, and who owns what. Every worker applies the same entries in the
 * same order and so comes to the same result, and so does one that replays a log of which only the last entry of each key is left: whatever
 * decides is said by entries that have a key of their own, and the assignment that counts is complete in itself. One thread.
 */
public final class ClusterState {

    private record HoldKey(Unit unit, long epoch) { }

    private Assignment assignment = Assignment.NONE;
    /** Others with the number of the one that counts. */
    private final Map<String, Assignment> rivals = new HashMap<>();
    private LogEntry.Beat witness = new LogEntry.Beat(Assignment.NONE.proposer(), 0, 0, "");
    private final Set<String> otherAssignments = new LinkedHashSet<>();
    private final Map<MemberId, Announcement> announced = new LinkedHashMap<>();
    private final Map<MemberId, Long> beats = new HashMap<>();
    private final Set<MemberId> probed = new HashSet<>();
    private final Map<String, MemberId> expelling = new HashMap<>();
    private final Map<HoldKey, LogEntry.Released> released = new HashMap<>();
    private final Map<String, NavigableMap<Long, LogEntry.TaskConfigs>> tasks = new HashMap<>();
    private final Map<Unit, LogEntry.Report> reports = new HashMap<>();
    private final Rules rules;

    /** The state before the first entry. */
    public ClusterState() {
        this(Rules.ALL);
    }

    ClusterState(Rules rules) {
        this.rules = rules;
    }

    /**
     * Applies the next entry of the log.
     *
     * @return true if there is another assignment that counts from now on
     */
    public boolean apply(LogEntry entry) {
        if (entry instanceof LogEntry.Assigned proposal) {
            return assign(proposal.assignment());
        } else if (entry instanceof LogEntry.Released release) {
            released.put(new HoldKey(release.unit(), release.epoch()), release);
        } else if (entry instanceof LogEntry.Beat beat) {
            beats.put(beat.member(), beat.number());
            return witness(beat);
        } else if (entry instanceof LogEntry.Announced announcement) {
            announced.put(announcement.announcement().member(), announcement.announcement());
        } else if (entry instanceof LogEntry.Probe probe) {
            probed.add(probe.member());
        } else if (entry instanceof LogEntry.Expel expel) {
            expelling.put(expel.key(), expel.member());
        } else if (entry instanceof LogEntry.TaskConfigs configs) {
            tasks.computeIfAbsent(configs.connector(), name -> new TreeMap<>()).put(configs.epoch(), configs);
        } else if (entry instanceof LogEntry.Report report) {
            reports.put(report.unit(), report);
        } else if (entry instanceof LogEntry.Removed removed) {
            remove(removed.key());
        }
        return false;
    }

    private boolean assign(Assignment proposal) {
        if (proposal.key().equals(assignment.key())) {
            return false;
        }
        // Whoever wrote it knew all generations before its own, so a higher number can only be the next, or what came between is no longer kept.
        if (proposal.generation() > assignment.generation() || !rules.on(Rules.Rule.FIRST_OF_GENERATION_WINS)) {
            if (assignment != Assignment.NONE) {
                otherAssignments.add(assignment.key());
            }
            rivals.clear();
            otherAssignments.remove(proposal.key());
            assignment = proposal;
            return true;
        }
        otherAssignments.add(proposal.key());
        if (proposal.generation() == assignment.generation()) {
            rivals.put(proposal.key(), proposal);
            return preferWitnessed();
        }
        return false;
    }

    private boolean witness(LogEntry.Beat beat) {
        if (beat.generation() > witness.generation()) {
            witness = beat;
        }
        return preferWitnessed();
    }

    /**
     * Of several with one number the first counts. Only who replays a log can see them in another order, if the first one was written a second
     * time after the others; the beats of those who were there tell which one it is.
     */
    private boolean preferWitnessed() {
        if (witness.generation() != assignment.generation() || !rivals.containsKey(witness.assignment())) {
            return false;
        }
        rivals.put(assignment.key(), assignment);
        otherAssignments.add(assignment.key());
        assignment = rivals.remove(witness.assignment());
        otherAssignments.remove(assignment.key());
        return true;
    }

    /** True if a replay leaves open which assignment counts, until a member's beat tells. */
    boolean isAmbiguous() {
        return !rivals.isEmpty() && witness.generation() < assignment.generation();
    }

    private void remove(String key) {
        try {
            if (key.startsWith(LogEntry.ASSIGNMENT)) {
                otherAssignments.remove(key);
            } else if (key.startsWith(LogEntry.RELEASED)) {
                int at = key.lastIndexOf('@');
                released.remove(new HoldKey(Unit.of(key.substring(LogEntry.RELEASED.length(), at)), Long.parseLong(key.substring(at + 1))));
            } else if (key.startsWith(LogEntry.BEAT)) {
                beats.remove(MemberId.of(key.substring(LogEntry.BEAT.length())));
            } else if (key.startsWith(LogEntry.ANNOUNCED)) {
                announced.remove(MemberId.of(key.substring(LogEntry.ANNOUNCED.length())));
            } else if (key.startsWith(LogEntry.PROBE)) {
                probed.remove(MemberId.of(key.substring(LogEntry.PROBE.length())));
            } else if (key.startsWith(LogEntry.EXPEL)) {
                expelling.remove(key);
            } else if (key.startsWith(LogEntry.TASKS)) {
                int at = key.lastIndexOf('@');
                String connector = key.substring(LogEntry.TASKS.length(), at);
                NavigableMap<Long, LogEntry.TaskConfigs> ofConnector = tasks.get(connector);
                if (ofConnector != null && ofConnector.remove(Long.parseLong(key.substring(at + 1))) != null && ofConnector.isEmpty()) {
                    tasks.remove(connector);
                }
            } else if (key.startsWith(LogEntry.REPORT)) {
                reports.remove(Unit.of(key.substring(LogEntry.REPORT.length())));
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // Nothing is known under a key that no entry of this kind can have.
            return;
        }
    }

    /** The assignment that counts. */
    public Assignment assignment() {
        return assignment;
    }

    /** What workers, members or not, say of themselves; in the order in which they came. */
    public Collection<Announcement> announcements() {
        return Collections.unmodifiableCollection(announced.values());
    }

    public Optional<Announcement> announcement(MemberId member) {
        return Optional.ofNullable(announced.get(member));
    }

    /** The number of a worker's last beat; 0 if none is known. */
    long lastBeat(MemberId member) {
        return beats.getOrDefault(member, 0L);
    }

    /** Who owns a unit now: the first who has not released it. Empty if nobody does, or there is no such unit. */
    public Optional<Hold> owner(Unit unit) {
        Placement placement = assignment.units().get(unit);
        return placement == null ? Optional.empty() : Optional.ofNullable(owner(unit, placement));
    }

    /** @return null if all have released it */
    Hold owner(Unit unit, Placement placement) {
        for (Hold hold : placement.holds()) {
            if (!isReleased(unit, hold.epoch())) {
                return hold;
            }
        }
        return null;
    }

    boolean isReleased(Unit unit, long epoch) {
        return released.containsKey(new HoldKey(unit, epoch));
    }

    /** Why a unit has no owner, and shall have none; empty if it has one or will have. */
    public Optional<String> vacant(Unit unit) {
        return Optional.ofNullable(assignment.units().get(unit)).map(Placement::vacant).filter(why -> !why.isEmpty());
    }

    /** The task configurations of a connector that count. */
    public Optional<LogEntry.TaskConfigs> tasks(String connector) {
        return Optional.ofNullable(tasks.get(connector)).map(byEpoch -> byEpoch.lastEntry().getValue());
    }

    public Optional<LogEntry.Report> report(Unit unit) {
        return Optional.ofNullable(reports.get(unit));
    }

    /** Keys of which nothing will ever depend again, whatever entries are under way. */
    List<String> needless() {
        List<String> keys = new ArrayList<>(otherAssignments);
        released.forEach((hold, entry) -> {
            Placement placement = assignment.units().get(hold.unit());
            if (hold.epoch() <= assignment.generation() && (placement == null || !placement.has(hold.epoch()))) {
                keys.add(entry.key());
            }
        });
        tasks.values().forEach(byEpoch -> byEpoch.headMap(byEpoch.lastKey()).values().forEach(old -> keys.add(old.key())));
        reports.forEach((unit, report) -> {
            if (!assignment.units().containsKey(unit)) {
                keys.add(report.key());
            }
        });
        expelling.forEach((key, member) -> {
            if (!assignment.isMember(member)) {
                keys.add(key);
            }
        });
        return keys;
    }

    /** Keys that say something of a worker's life. */
    List<String> keysOf(MemberId member) {
        List<String> keys = new ArrayList<>();
        if (announced.containsKey(member)) {
            keys.add(LogEntry.ANNOUNCED + member.text());
        }
        if (beats.containsKey(member)) {
            keys.add(LogEntry.BEAT + member.text());
        }
        if (probed.contains(member)) {
            keys.add(LogEntry.PROBE + member.text());
        }
        return keys;
    }

    /** Every worker of whose life something is kept. */
    Set<MemberId> known() {
        Set<MemberId> all = new HashSet<>(announced.keySet());
        all.addAll(beats.keySet());
        all.addAll(probed);
        return all;
    }

    Set<String> connectorsWithTasks() {
        return Collections.unmodifiableSet(tasks.keySet());
    }

    /** The keys of all that was computed for a connector. */
    List<String> taskKeys(String connector) {
        return tasks.getOrDefault(connector, Collections.emptyNavigableMap()).values().stream().map(LogEntry.TaskConfigs::key).toList();
    }

    /** All that decides and is shown, for comparison. */
    SortedMap<String, Object> content() {
        SortedMap<String, Object> content = new TreeMap<>();
        content.put("assignment", assignment);
        content.put("announced", Map.copyOf(announced));
        content.put("beats", Map.copyOf(beats));
        Map<Unit, Optional<Hold>> owners = new HashMap<>();
        assignment.units().keySet().forEach(unit -> owners.put(unit, owner(unit)));
        content.put("owners", owners);
        content.put("released", Set.copyOf(released.keySet()));
        Map<String, LogEntry.TaskConfigs> configs = new HashMap<>();
        tasks.forEach((connector, byEpoch) -> configs.put(connector, byEpoch.lastEntry().getValue()));
        content.put("tasks", configs);
        content.put("reports", Map.copyOf(reports));
        return content;
    }
}
