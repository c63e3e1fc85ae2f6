package io.sluice.core.cluster;

import java.util.Objects;
import java.util.Set;

/**
 * What a worker says of itself.
 *
 * @param member who it is
 * @param phase what it is about to do
 * @param restUrl where its REST address is; empty if it has none
 * @param plugins what it has
 * @param leaseMs for how long it works on after the last sign that the cluster knows it
 * @param startedAt in milliseconds since 1970
 * @param succeeds the incarnation of the same id whose place it takes, because it knows that one to be over; empty if it knows of none
 */
public record Announcement(MemberId member, Phase phase, String restUrl, Set<Plugin> plugins, long leaseMs, long startedAt, String succeeds) {

    /** What a worker is about to do. */
    public enum Phase {
        /** It takes work. */
        ACTIVE,
        /** It wants to go, and gives away what it has. */
        LEAVING,
        /** It has gone and runs nothing; for good. */
        LEFT
    }

    public Announcement {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(restUrl, "restUrl");
        Objects.requireNonNull(succeeds, "succeeds");
        plugins = Set.copyOf(plugins);
    }
}
