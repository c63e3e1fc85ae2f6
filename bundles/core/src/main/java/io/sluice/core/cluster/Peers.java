package io.sluice.core.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What this member knows of the others' lives: how long it has not heard of each, and who is over for sure. */
final class Peers {

    private static final class Peer {
        private long heardAt;
        private long highest;
        /** How many entries of its own, or removals of them, were seen: whatever changed, changed this. */
        private long seen;
    }

    /** An expulsion under way. */
    private record Attempt(String token, long beat, long seen, long at, String why) { }

    private final Rules rules;
    private final Map<MemberId, Peer> peers = new HashMap<>();
    private final Map<MemberId, String> gone = new HashMap<>();
    private final Map<MemberId, Attempt> attempts = new HashMap<>();
    private long attempted;

    Peers(Rules rules) {
        this.rules = rules;
    }

    /** Takes note of an entry of the log that says something of another's life. */
    void read(LogEntry entry, long now) {
        if (entry instanceof LogEntry.Beat beat) {
            Peer peer = peer(beat.member(), now);
            peer.seen++;
            if (beat.number() > peer.highest) {
                peer.highest = beat.number();
                peer.heardAt = now;
            }
        } else if (entry instanceof LogEntry.Announced announced) {
            Announcement announcement = announced.announcement();
            peer(announcement.member(), now);
            if (announcement.phase() == Announcement.Phase.LEFT) {
                gone.putIfAbsent(announcement.member(), "it has left");
            }
            if (!announcement.succeeds().isEmpty()) {
                gone.putIfAbsent(new MemberId(announcement.member().id(), announcement.succeeds()), "it is over, as " + announcement.member() + " says");
            }
        } else if (entry instanceof LogEntry.Removed removed && removed.key().startsWith(LogEntry.BEAT)) {
            peer(MemberId.of(removed.key().substring(LogEntry.BEAT.length())), now).seen++;
        }
    }

    private Peer peer(MemberId member, long now) {
        return peers.computeIfAbsent(member, unknown -> {
            Peer peer = new Peer();
            peer.heardAt = now;
            return peer;
        });
    }

    /** For how long nothing was heard of a worker, as far as this one could hear. */
    long silenceMs(MemberId member, long now) {
        return now - peer(member, now).heardAt;
    }

    /** From now on silence is counted anew: what others wrote could not be read until now. */
    void listenAnew(long now) {
        peers.values().forEach(peer -> peer.heardAt = Math.max(peer.heardAt, now));
    }

    void provedGone(MemberId member, String why) {
        gone.putIfAbsent(member, why);
    }

    /** Why a worker is over for sure; empty if that is not known. */
    Optional<String> gone(MemberId member) {
        return Optional.ofNullable(gone.get(member));
    }

    /** What is to be written to expel a silent member; empty if that is under way or it is not silent for long enough. */
    Optional<LogEntry> expel(Assignment.Seat seat, MemberId by, ClusterState state, long retryMs, long now) {
        MemberId member = seat.member();
        long silence = silenceMs(member, now);
        long needed = rules.on(Rules.Rule.LEASE_AND_MARGIN) ? seat.leaseMs() + Settings.marginMs(seat.leaseMs()) : seat.leaseMs() / 2;
        Attempt before = attempts.get(member);
        if (gone.containsKey(member) || silence < needed || before != null && now - before.at() < retryMs) {
            return Optional.empty();
        }
        String token = by.incarnation() + "-" + ++attempted;
        long beat = state.lastBeat(member);
        attempts.put(member, new Attempt(token, beat, peer(member, now).seen, now, "silent for " + silence + " ms, with a lease of " + seat.leaseMs() + " ms"));
        return Optional.of(new LogEntry.Expel(member, beat, by, token));
    }

    /** An expulsion was read. @return true if it is an own one, which has served its purpose */
    boolean readExpel(LogEntry.Expel expel, ClusterState state, long now) {
        Attempt attempt = attempts.get(expel.member());
        if (attempt == null || !attempt.token().equals(expel.token())) {
            return false;
        }
        attempts.remove(expel.member());
        // The member comes to the same result when it reads this: its last beat is the one that is named. From here on its lease cannot grow.
        boolean silent = peer(expel.member(), now).seen == attempt.seen() && state.lastBeat(expel.member()) == attempt.beat();
        if (silent || !rules.on(Rules.Rule.EXPEL_ONLY_WITHOUT_A_BEAT_BETWEEN)) {
            gone.putIfAbsent(expel.member(), attempt.why());
        }
        return true;
    }

    /** Forgets those of whom the log keeps nothing any more. */
    void forget(ClusterState state) {
        peers.keySet().removeIf(member -> !state.known().contains(member) && !state.assignment().isMember(member));
        gone.keySet().removeIf(member -> !state.known().contains(member) && !state.assignment().isMember(member));
        attempts.keySet().removeIf(member -> !state.assignment().isMember(member));
    }
}
