package io.sluice.core.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The snapshots whose parts were read from the topic; those that are not complete count for nothing. One thread. */
final class SnapshotParts {

    private static final int MOST_SNAPSHOTS = 16;
    private static final int MOST_PARTS = 1 << 16;
    private static final byte[] NOT_KEPT = {};

    /** One snapshot, as far as it was read. */
    static final class Snapshot {

        private final LogFrame.Part first;
        private final long offset;
        private final long storedAt;
        private final byte[][] parts;
        private int missing;
        private long completedNanos;

        private Snapshot(LogFrame.Part first, long offset, long storedAt) {
            this.first = first;
            this.offset = offset;
            this.storedAt = storedAt;
            this.parts = new byte[first.parts()][];
            this.missing = first.parts();
        }

        UUID id() {
            return first.id();
        }

        boolean candidate() {
            return first.candidate();
        }

        /** The era that it is of, or would begin. */
        LogFrame.Header header() {
            return first.header();
        }

        long cover() {
            return first.cover();
        }

        /** Where it begins. */
        long offset() {
            return offset;
        }

        long storedAt() {
            return storedAt;
        }

        boolean complete() {
            return missing == 0;
        }

        /** When its last part was read. */
        long completedNanos() {
            return completedNanos;
        }

        LogSnapshot decode() throws IOException {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] part : parts) {
                all.writeBytes(part);
            }
            return LogSnapshot.decode(all.toByteArray());
        }
    }

    private final Map<UUID, Snapshot> snapshots = new LinkedHashMap<>();

    /**
     * Takes in a part.
     *
     * @param keep false if nobody will want to decode it
     * @return the snapshot if this was the last part that was missing
     */
    Optional<Snapshot> add(LogFrame.Part part, long offset, long storedAt, boolean keep) {
        if (part.parts() < 1 || part.parts() > MOST_PARTS || part.part() < 0 || part.part() >= part.parts()) {
            return Optional.empty();
        }
        Snapshot snapshot = snapshots.computeIfAbsent(part.id(), unused -> new Snapshot(part, offset, storedAt));
        if (snapshots.size() > MOST_SNAPSHOTS) {
            snapshots.remove(snapshots.keySet().iterator().next());
        }
        if (snapshot.parts.length != part.parts() || snapshot.parts[part.part()] != null) {
            return Optional.empty();
        }
        snapshot.parts[part.part()] = keep ? part.bytes() : NOT_KEPT;
        if (--snapshot.missing > 0) {
            return Optional.empty();
        }
        snapshot.completedNanos = System.nanoTime();
        return Optional.of(snapshot);
    }

    /** A complete candidate. */
    Optional<Snapshot> candidate(UUID id) {
        return Optional.ofNullable(snapshots.get(id)).filter(snapshot -> snapshot.complete() && snapshot.candidate());
    }

    /** The complete candidate with the highest position among those for an era above a number. */
    Optional<Snapshot> best(long aboveEra) {
        return snapshots.values().stream().filter(snapshot -> snapshot.complete() && snapshot.candidate() && snapshot.header().era() > aboveEra)
            .max(Comparator.comparingLong(Snapshot::cover));
    }

    /** The highest number of an era for which there is a candidate, complete or not; 0 if there is none. */
    long highestEra() {
        return snapshots.values().stream().filter(Snapshot::candidate).mapToLong(snapshot -> snapshot.header().era()).max().orElse(0);
    }

    /** Forgets a snapshot that was used. */
    void remove(Snapshot snapshot) {
        snapshots.remove(snapshot.id());
    }

    void clear() {
        snapshots.clear();
    }
}
