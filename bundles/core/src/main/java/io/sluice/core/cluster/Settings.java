package io.sluice.core.cluster;

import java.util.Objects;

/**
 * What a member is told at its start. Times in milliseconds of the local monotonic clock.
 *
 * @param id its {@code worker.id}
 * @param restUrl where its REST address is; empty if it has none
 * @param leaseMs for how long it works on after the last sign that the cluster knows it
 * @param joinSettleMs how long the leader waits for more workers when one comes
 * @param graceMs how long units are held still behind the closed gate, once the lease has run out, before they are stopped
 * @param pluginLossMs how long a plugin may be gone (while its bundle is updated, say) before others are told
 * @param startedAt in milliseconds since 1970
 * @param succeeds an incarnation of the same id that is known to be over (because this one holds the lock of the same folder, say); empty if
 *     none is known
 */
public record Settings(String id, String restUrl, long leaseMs, long joinSettleMs, long graceMs, long pluginLossMs, long startedAt, String succeeds) {

    /** Below this a lease cannot be told from the pauses of an ordinary JVM. */
    public static final long MIN_LEASE_MS = 1_000;
    /** The lease unless told otherwise. */
    public static final long DEFAULT_LEASE_MS = 6_000;
    private static final long MIN_MARGIN_MS = 1_000;

    public Settings {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(restUrl, "restUrl");
        Objects.requireNonNull(succeeds, "succeeds");
        if (leaseMs < MIN_LEASE_MS) {
            throw new IllegalArgumentException("a lease of " + leaseMs + " ms is too short; it needs " + MIN_LEASE_MS + " ms at least");
        }
    }

    /** A worker without REST address and anything special. */
    public static Settings of(String id) {
        return new Settings(id, "", DEFAULT_LEASE_MS, 1_000, DEFAULT_LEASE_MS, 5_000, 0, "");
    }

    public Settings withLeaseMs(long lease) {
        return new Settings(id, restUrl, lease, joinSettleMs, graceMs, pluginLossMs, startedAt, succeeds);
    }

    public Settings withSucceeds(String incarnation) {
        return new Settings(id, restUrl, leaseMs, joinSettleMs, graceMs, pluginLossMs, startedAt, incarnation);
    }

    /** How often a member beats. */
    public long beatMs() {
        return leaseMs / 6;
    }

    /** How long others wait beyond a lease before they expel: covers clocks whose rates differ by up to 10 % either way. */
    public static long marginMs(long leaseMs) {
        return Math.max(leaseMs / 3, MIN_MARGIN_MS);
    }

    /** When an entry that was not read back is written again. */
    long retryMs() {
        return leaseMs / 3;
    }
}
