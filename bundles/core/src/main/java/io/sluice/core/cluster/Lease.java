package io.sluice.core.cluster;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The lease of one incarnation: good from before a beat was written, once that beat is read back, for as long as the worker announced.
 *
 * <p>A worker that cannot read the log any more must not go on to tell others that it lives: once nothing of its own has come back for half a
 * lease it writes probes, which count for nobody, until one comes back.
 */
final class Lease {

    private static final int REMEMBERED = 64;

    private final MemberId member;
    private final long leaseMs;
    private final long beatMs;
    private final Rules rules;
    /** When entries were written, by number. */
    private final TreeMap<Long, Long> written = new TreeMap<>();
    private long number;
    private long nextAt;
    private long contactAt;
    private long until = Long.MIN_VALUE;

    Lease(MemberId member, Settings settings, Rules rules, long now) {
        this.member = member;
        this.leaseMs = settings.leaseMs();
        this.beatMs = settings.beatMs();
        this.rules = rules;
        this.contactAt = now;
        this.nextAt = now;
    }

    /** What is to be written now, if anything. @param known what a member knows to count; empty while it is none */
    Optional<LogEntry> due(Optional<Assignment> known, long now) {
        if (now < nextAt) {
            return Optional.empty();
        }
        nextAt = now + beatMs;
        written.put(++number, now);
        if (written.size() > REMEMBERED) {
            written.pollFirstEntry();
        }
        return Optional.of(now - contactAt <= leaseMs / 2 ? new LogEntry.Beat(member, number, known.map(Assignment::generation).orElse(0L),
            known.map(Assignment::key).orElse("")) : new LogEntry.Probe(member, number));
    }

    /** @return true if an own beat was read that prolongs the lease */
    boolean read(LogEntry entry, long now) {
        if (entry instanceof LogEntry.Beat beat && beat.member().equals(member)) {
            Long at = written.get(beat.number());
            if (at == null) {
                return false;
            }
            contactAt = Math.max(contactAt, at);
            long good = (rules.on(Rules.Rule.LEASE_FROM_WRITING) ? at : now) + leaseMs;
            boolean longer = good > until && good > now;
            until = Math.max(until, good);
            return longer;
        }
        if (entry instanceof LogEntry.Probe probe && probe.member().equals(member)) {
            Long at = written.get(probe.number());
            if (at != null && at > contactAt) {
                contactAt = at;
                nextAt = Math.min(nextAt, now);
            }
        }
        return false;
    }

    boolean isGood(long now) {
        return now < until;
    }

    long until() {
        return until;
    }
}
