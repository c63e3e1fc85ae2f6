package io.sluice.core.cluster;

import io.sluice.spi.allocation.Unit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What runs on this worker, and what it makes of the state: starts what it owns, stops what it shall give away, releases what has stopped. */
final class UnitRuns {

    private record Run(long epoch, String incarnation, boolean stopping) { }

    private record HoldKey(Unit unit, long epoch) { }

    private final ClusterState state;
    private final Outbox out;
    private final Rules rules;
    private final Map<Unit, Run> runs = new HashMap<>();
    /** What this incarnation has released, and when that was written, until the state no longer knows the hold. */
    private final Map<HoldKey, Long> releases = new HashMap<>();
    private MemberId me;
    private boolean member;
    private boolean startable;

    UnitRuns(ClusterState state, Outbox out, Rules rules) {
        this.state = state;
        this.out = out;
        this.rules = rules;
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    /** What is said of this worker until it is said anew. @param mayRun true if its lease is good and it takes work */
    void now(MemberId self, boolean isMember, boolean mayRun) {
        if (!self.equals(me)) {
            releases.clear();
            me = self;
        }
        member = isMember;
        startable = mayRun;
    }

    /** True if this worker has a hold of anything that it has not released. */
    boolean holdsAny() {
        for (Unit unit : state.assignment().unitsOf(me)) {
            for (Hold hold : state.assignment().placement(unit).holds()) {
                if (hold.member().equals(me) && !state.isReleased(unit, hold.epoch())) {
                    return true;
                }
            }
        }
        return false;
    }

    void reconcileAll(long now) {
        Set<Unit> units = new HashSet<>(runs.keySet());
        units.addAll(state.assignment().unitsOf(me));
        // In a settled order, so that a history can be repeated.
        units.stream().sorted().forEach(unit -> reconcile(unit, now));
    }

    void reconcile(Unit unit, long now) {
        Placement placement = member ? state.assignment().placement(unit) : null;
        Hold hold = placement == null ? null : mine(unit, placement);
        boolean stays = hold != null && placement.isLast(hold) && !isOver(unit, hold);
        Run run = runs.get(unit);
        if (run != null) {
            boolean right = stays && run.epoch() == hold.epoch() && run.incarnation().equals(me.incarnation());
            if (!right && !run.stopping()) {
                stop(unit, run, startable && hold != null && run.incarnation().equals(me.incarnation()));
                if (hold != null && !rules.on(Rules.Rule.RELEASE_AFTER_STOP)) {
                    release(unit, hold, now);
                }
            }
        } else if (stays) {
            if (startable) {
                runs.put(unit, new Run(hold.epoch(), me.incarnation(), false));
                out.act(new Action.StartUnit(unit, hold.epoch(), me.incarnation()));
            }
        } else if (hold != null && !releases.containsKey(new HoldKey(unit, hold.epoch()))) {
            release(unit, hold, now);
        }
    }

    /** The hold under which this worker owns a unit; null if it does not. */
    private Hold mine(Unit unit, Placement placement) {
        Hold owner = state.owner(unit, placement);
        if (!rules.on(Rules.Rule.START_ONLY_AS_OWNER)) {
            owner = placement.target().orElse(owner);
        }
        return owner != null && owner.member().equals(me) ? owner : null;
    }

    private boolean isOver(Unit unit, Hold hold) {
        return rules.on(Rules.Rule.RELEASED_IS_OVER) && releases.containsKey(new HoldKey(unit, hold.epoch()));
    }

    private void release(Unit unit, Hold hold, long now) {
        releases.put(new HoldKey(unit, hold.epoch()), now);
        out.append(new LogEntry.Released(unit, hold.epoch()));
    }

    private void stop(Unit unit, Run run, boolean commit) {
        runs.put(unit, new Run(run.epoch(), run.incarnation(), true));
        out.act(new Action.StopUnit(unit, run.epoch(), commit));
    }

    /** Lets go of everything. */
    void stopAll() {
        List.copyOf(runs.keySet()).stream().sorted().forEach(unit -> {
            Run run = runs.get(unit);
            if (!run.stopping()) {
                stop(unit, run, false);
            }
        });
    }

    void stopped(Unit unit, long epoch, long now) {
        Run run = runs.get(unit);
        if (run != null && run.epoch() == epoch) {
            runs.remove(unit);
            reconcile(unit, now);
        }
    }

    /** Writes releases again that did not come back, and forgets those that nobody needs any more. */
    void retry(long retryMs, long now) {
        for (Iterator<Map.Entry<HoldKey, Long>> all = releases.entrySet().iterator(); all.hasNext();) {
            Map.Entry<HoldKey, Long> release = all.next();
            HoldKey hold = release.getKey();
            Placement placement = state.assignment().placement(hold.unit());
            if (placement == null || !placement.has(hold.epoch())) {
                all.remove();
            } else if (now - release.getValue() >= retryMs && !state.isReleased(hold.unit(), hold.epoch())) {
                release.setValue(now);
                out.append(new LogEntry.Released(hold.unit(), hold.epoch()));
            }
        }
    }
}
