package io.sluice.connector.file.source;

import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.storage.OffsetStorageReader;
import io.sluice.connector.file.source.FileSelection.Found;
import io.sluice.spi.PluginMetrics;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All tails of a task: finds new files, reads them in turn, and drops those that are over. Used by one thread at a time. */
final class TailSet {

    private static final Logger LOG = LoggerFactory.getLogger(TailSet.class);
    /** Full batches from one file before the next has its turn. */
    private static final int TURNS = 8;
    /** How long a file may be unreadable: a rotation may make it so for a moment. */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

    private record Trouble(String message, long since) {
    }

    private final FileSelection selection;
    private final int index;
    private final int count;
    private final SourceOptions options;
    private final OffsetStorageReader offsets;
    private final PluginMetrics metrics;
    private final Claims claims = new Claims();
    private final SpareBuffer spare = new SpareBuffer();
    private final Set<Path> literals;
    private final List<Tail> tails = new ArrayList<>();
    private final Map<Path, Tail> byPath = new LinkedHashMap<>();
    private final Map<Path, Trouble> troubles = new HashMap<>();
    private int turn;
    private int batches;
    private long scannedAt;

    /** @param metrics null if the runtime has none */
    TailSet(FileSelection selection, int index, int count, SourceOptions options, OffsetStorageReader offsets, PluginMetrics metrics) {
        this.selection = selection;
        this.index = index;
        this.count = count;
        this.options = options;
        this.offsets = offsets;
        this.metrics = metrics;
        literals = new LinkedHashSet<>(selection.literals(index, count));
    }

    void start() {
        try {
            look(true);
        } catch (IOException e) {
            throw new ConnectException("cannot look for files: " + e.getMessage(), e);
        }
    }

    /** Fills the batch from the files in turn. */
    void readInto(Batch batch) throws IOException {
        if (selection.hasGlobs() && System.nanoTime() - scannedAt >= options.scanInterval().toNanos()) {
            look(false);
        }
        for (int i = 0; i < tails.size(); i++) {
            Tail tail = tails.get(turn % tails.size());
            if (read(tail, batch)) {
                if (++batches == TURNS) {
                    tail.release();
                    next();
                }
                return;
            }
            next();
            if (batch.isFull()) {
                return;
            }
        }
    }

    private void next() {
        turn = (turn + 1) % tails.size();
        batches = 0;
    }

    private boolean read(Tail tail, Batch batch) throws IOException {
        long malformed = tail.malformedLines();
        try {
            boolean more = tail.readInto(batch);
            if (troubles.remove(tail.path()) != null) {
                LOG.info("{} can be read again", tail.path());
            }
            return more;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            onTrouble(tail, e);
            return false;
        } finally {
            count("file.lines.malformed", tail.malformedLines() - malformed);
        }
    }

    /** A file that cannot be read is tried again; after a while a file that was named fails the task, one that matches a glob doesn't. */
    private void onTrouble(Tail tail, IOException failure) throws IOException {
        String message = failure.toString();
        Trouble before = troubles.get(tail.path());
        long now = System.nanoTime();
        if (before == null) {
            LOG.warn("cannot read {} ({}); trying again", tail.path(), message);
            troubles.put(tail.path(), new Trouble(message, now));
        } else if (literals.contains(tail.path()) && now - before.since() > PATIENCE_NANOS) {
            throw new IOException(tail.path() + " cannot be read: " + message, failure);
        }
        tail.suspend();
    }

    /** Finds files that are new to this task and starts to follow them. */
    private void look(boolean first) throws IOException {
        scannedAt = System.nanoTime();
        List<Found> found = selection.hasGlobs() ? selection.scan(index, count) : List.of();
        Map<Path, FileId> present = found.stream().collect(Collectors.toMap(Found::path, file -> FileId.of(file.attributes()), (a, b) -> a, LinkedHashMap::new));
        Set<FileId> ids = new HashSet<>(present.values());
        tails.forEach(tail -> tail.retainReadBefore(ids));
        dropFinished();

        Set<Path> candidates = first ? new LinkedHashSet<>(literals) : new LinkedHashSet<>();
        candidates.addAll(present.keySet());
        candidates.removeAll(byPath.keySet());
        Map<Path, StoredPlace> stored = read(candidates);
        startStored(candidates, present, stored);
        for (Path path : candidates) {
            if (!byPath.containsKey(path) && (literals.contains(path) || !isAccountedFor(path))) {
                Tail tail = add(path);
                attempt(tail, () -> tail.begin(first && options.fromEnd()));
            }
        }
    }

    /** Starts the files that have an offset; all of them claim what they have read before the first one looks around. */
    private void startStored(Set<Path> candidates, Map<Path, FileId> present, Map<Path, StoredPlace> stored) {
        Map<Tail, StoredPlace> places = new LinkedHashMap<>();
        stored.forEach((path, place) -> {
            boolean wanted = candidates.contains(path)
                // A path that no longer shows anything, whose file is matched under its rotated name.
                || place.fileKey().isPresent() && present.values().stream().anyMatch(id -> id.isStoredAs(place.fileKey().get()));
            if (wanted) {
                Tail tail = add(path);
                tail.claim(place);
                places.put(tail, place);
            }
        });
        places.forEach((tail, place) -> attempt(tail, () -> tail.resume(place)));
    }

    private interface Step {
        void run() throws IOException;
    }

    /** A file that cannot be read at first is tried again with the next batch. */
    private void attempt(Tail tail, Step step) {
        try {
            step.run();
        } catch (IOException e) {
            LOG.warn("cannot read {} ({}); trying again", tail.path(), e.toString());
            troubles.put(tail.path(), new Trouble(e.toString(), System.nanoTime()));
        }
    }

    /** The stored places of paths, and of the paths that they may have been rotated from. */
    private Map<Path, StoredPlace> read(Set<Path> paths) {
        Map<RecordPartition, Path> partitions = new LinkedHashMap<>();
        for (Path path : paths) {
            partitions.put(LineRecords.partition(path), path);
            Path original = FileSelection.original(path);
            if (!byPath.containsKey(original)) {
                partitions.put(LineRecords.partition(original), original);
            }
        }
        Map<Path, StoredPlace> places = new LinkedHashMap<>();
        if (!partitions.isEmpty()) {
            Map<RecordPartition, RecordOffset> read = offsets.readOffsets(partitions.keySet());
            partitions.forEach((partition, path) -> StoredPlace.of(read == null ? null : read.get(partition)).ifPresent(place -> places.put(path, place)));
        }
        return places;
    }

    /** True if the file at {@code path} is read, or has been read, under the name that it had before it was rotated. */
    private boolean isAccountedFor(Path path) throws IOException {
        Optional<Generation> opened = Generation.open(path);
        if (opened.isEmpty()) {
            return true;
        }
        try (Generation file = opened.get()) {
            Path owner = claims.owner(file.id());
            if (owner != null && byPath.containsKey(owner) && byPath.get(owner).owns(file)) {
                return true;
            }
            return isOfOriginal(path, file);
        }
    }

    /** True if the tail of the path that {@code path} is a rotated name of accounts for the file. */
    private boolean isOfOriginal(Path path, Generation file) throws IOException {
        Tail original = byPath.get(FileSelection.original(path));
        return original != null && !original.path().equals(path) && original.accountsFor(file);
    }

    private Tail add(Path path) {
        Tail tail = new Tail(path, options, claims, spare, selection::includes, file -> isOfOriginal(path, file), selection.hasGlobs(), new Tail.Counts() {
            @Override
            public void rotated() {
                count("file.rotations", 1);
            }

            @Override
            public void truncated() {
                count("file.truncations", 1);
            }
        });
        tails.add(tail);
        byPath.put(path, tail);
        LOG.info("reading {}", path);
        return tail;
    }

    private void dropFinished() throws IOException {
        for (Tail tail : List.copyOf(tails)) {
            if (tail.isOver() && !literals.contains(tail.path())) {
                tail.close();
                tails.remove(tail);
                byPath.remove(tail.path());
                troubles.remove(tail.path());
                turn = 0;
            }
        }
    }

    private void count(String name, long amount) {
        if (metrics != null && amount > 0) {
            metrics.count(name, amount);
        }
    }

    /** Bytes that are there and have not been emitted. */
    long lag() throws IOException {
        long lag = 0;
        for (Tail tail : tails) {
            lag += tail.lag();
        }
        return lag;
    }

    /** Closes all files, to go on from the same places. */
    void suspend() {
        for (Tail tail : tails) {
            attempt(tail, tail::suspend);
        }
    }

    void close() {
        for (Tail tail : tails) {
            try {
                tail.close();
            } catch (IOException e) {
                LOG.warn("cannot close {}: {}", tail.path(), e.toString());
            }
        }
        tails.clear();
        byPath.clear();
    }
}
