package io.sluice.core.cluster;

import io.sluice.core.cluster.Announcement.Phase;
import io.sluice.core.cluster.Assignment.Seat;
import io.sluice.spi.allocation.AllocationStrategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the leader does: expels who is silent, proposes assignments, removes what nobody needs any more. The leader is the member with the
 * lowest id whom the asker has heard of lately; two who think so at once do no harm, since the log settles whose proposal counts.
 */
final class Leadership {

    /** Changes of units that come together make one generation. */
    private static final long UNITS_SETTLE_MS = 100;
    private static final int REMOVED_AT_ONCE = 500;

    private final ClusterState state;
    private final Peers peers;
    private final Outbox out;
    private final Settings settings;
    private final Rules rules;
    private final StickyStrategy fallback = new StickyStrategy();
    private final Map<MemberId, Long> candidateSince = new HashMap<>();
    private final Map<String, Long> removing = new HashMap<>();
    private AllocationStrategy strategy;
    private Event.Definitions definitions;
    private boolean leading;
    /** When something that may call for another assignment was first seen; -1 if nothing was. */
    private long changedAt = -1;
    private String pending = "";
    private long pendingAt;
    private long proposals;
    private long olderSince = -1;
    private long sweepAt;

    Leadership(ClusterState state, Peers peers, Outbox out, Settings settings, AllocationStrategy strategy, Rules rules) {
        this.state = state;
        this.peers = peers;
        this.out = out;
        this.settings = settings;
        this.strategy = strategy;
        this.rules = rules;
    }

    void strategy(AllocationStrategy chosen, long now) {
        strategy = chosen;
        changed(now);
    }

    void definitions(Event.Definitions known, long now) {
        definitions = known;
        changed(now);
    }

    void changed(long now) {
        if (changedAt < 0) {
            changedAt = now;
        }
    }

    /** Takes note that an own proposal came back, whatever became of it. */
    void read(Assignment proposal, boolean accepted, long now) {
        if (proposal.key().equals(pending)) {
            pending = "";
        }
        changed(now);
        if (accepted) {
            candidateSince.clear();
        }
    }

    boolean leads() {
        return leading;
    }

    /** Who leads, as far as this worker can tell; empty if nobody does. */
    Optional<MemberId> leader(long now) {
        for (Seat seat : state.assignment().members().values()) {
            if (isHeard(seat.member(), now)) {
                return Optional.of(seat.member());
            }
        }
        return state.announcements().stream().filter(one -> one.phase() == Phase.ACTIVE && isHeard(one.member(), now)).map(Announcement::member).min(MemberId::compareTo);
    }

    private boolean isHeard(MemberId member, long now) {
        return peers.gone(member).isEmpty() && peers.silenceMs(member, now) <= settings.leaseMs() / 2;
    }

    /** @param able true if this worker's lease is good, so that it hears and is heard */
    void step(MemberId me, boolean able, long now) {
        boolean leads = able && leader(now).filter(me::equals).isPresent();
        if (leads && !leading) {
            changed(now);
        }
        leading = leads;
        if (!leading) {
            return;
        }
        for (Seat seat : state.assignment().members().values()) {
            if (!seat.member().equals(me)) {
                peers.expel(seat, me, state, settings.retryMs(), now).ifPresent(out::append);
            }
        }
        propose(me, now);
        if (now >= sweepAt) {
            sweepAt = now + settings.beatMs();
            sweep(now);
        }
    }

    private void propose(MemberId me, long now) {
        if (definitions == null || !pending.isEmpty() && now - pendingAt < settings.retryMs() || isOlder(now)) {
            return;
        }
        List<Announcement> candidates = candidates(now);
        boolean urgent = state.assignment().members().values().stream().anyMatch(seat -> peers.gone(seat.member()).isPresent());
        boolean joins = candidates.stream().anyMatch(candidate -> now - candidateSince.get(candidate.member()) >= settings.joinSettleMs()
            || !candidate.succeeds().isEmpty());
        if (!urgent && !joins && (changedAt < 0 || now - changedAt < UNITS_SETTLE_MS)) {
            return;
        }
        changedAt = -1;
        Proposal proposal = new Proposal(state, definitions, peers, urgent || joins ? candidates : List.of(), rules);
        String key = LogEntry.ASSIGNMENT + (state.assignment().generation() + 1) + "#" + me.incarnation() + "-" + ++proposals;
        Optional<Assignment> next;
        try {
            next = proposal.work(strategy, key, me);
        } catch (RuntimeException e) {
            out.act(new Action.Problem("the allocation strategy " + strategy.getClass().getName() + " failed (" + e + "); '" + StickyStrategy.STICKY
                + "' is used in its place"));
            next = new Proposal(state, definitions, peers, urgent || joins ? candidates : List.of(), rules).work(fallback, key, me);
        }
        next.ifPresent(assignment -> {
            pending = key;
            pendingAt = now;
            out.append(new LogEntry.Assigned(assignment));
        });
    }

    /** True if the present assignment knows of newer definitions, which will come here too; after a while this is no longer waited for. */
    private boolean isOlder(long now) {
        if (definitions.version() >= state.assignment().definitions()) {
            olderSince = -1;
            return false;
        }
        olderSince = olderSince < 0 ? now : olderSince;
        return now - olderSince < 2 * settings.leaseMs();
    }

    /** Who wants to be a member and can: one for each id, the first that came. */
    private List<Announcement> candidates(long now) {
        Map<String, Announcement> byId = new TreeMap<>();
        for (Announcement one : state.announcements()) {
            Seat seat = state.assignment().members().get(one.member().id());
            boolean free = seat == null || peers.gone(seat.member()).isPresent();
            if (free && one.phase() == Phase.ACTIVE && peers.gone(one.member()).isEmpty() && peers.silenceMs(one.member(), now) < one.leaseMs()) {
                byId.putIfAbsent(one.member().id(), one);
            }
        }
        List<Announcement> candidates = new ArrayList<>(byId.values());
        candidateSince.keySet().retainAll(candidates.stream().map(Announcement::member).toList());
        candidates.forEach(candidate -> candidateSince.putIfAbsent(candidate.member(), now));
        return candidates;
    }

    /** Removes entries on which nothing depends, and those of workers who are no members and were not heard of for long. */
    private void sweep(long now) {
        List<String> keys = new ArrayList<>(state.needless());
        for (MemberId worker : state.known()) {
            long lease = state.announcement(worker).map(Announcement::leaseMs).orElse(settings.leaseMs());
            if (!state.assignment().isMember(worker)
                && (peers.gone(worker).isPresent() || peers.silenceMs(worker, now) > 2 * (lease + Settings.marginMs(lease)))) {
                keys.addAll(state.keysOf(worker));
            }
        }
        if (definitions != null && definitions.version() >= state.assignment().definitions()) {
            for (String connector : state.connectorsWithTasks()) {
                if (!definitions.connectors().containsKey(connector)) {
                    keys.addAll(state.taskKeys(connector));
                }
            }
        }
        removing.values().removeIf(at -> now - at > 2 * settings.retryMs());
        keys.stream().filter(key -> !removing.containsKey(key)).sorted().limit(REMOVED_AT_ONCE).forEach(key -> {
            removing.put(key, now);
            out.append(new LogEntry.Removed(key));
        });
        peers.forget(state);
    }
}
