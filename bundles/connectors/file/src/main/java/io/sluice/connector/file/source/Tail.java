package io.sluice.connector.file.source;

import io.openmessaging.connector.api.data.ConnectRecord;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows one path: reads what is there to its end, and then what comes after it. Used by one thread at a time. */
final class Tail implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Tail.class);
    /** How often the path is looked at while there is enough to read. */
    private static final long WATCH_NANOS = Duration.ofMillis(100).toNanos();

    /** Things that are counted. */
    interface Counts {
        void rotated();

        void truncated();
    }

    private final Path path;
    private final SourceOptions options;
    private final Claims claims;
    private final ReadBefore readBefore;
    private final Generations generations;
    private final LineReader reader;
    private final LineRecords records;
    private final Counts counts;

    /** Where to go on when the path shows something new; null while files are open. */
    private StoredPlace waiting;
    private BasicFileAttributes seenWhileWaiting;
    private boolean justOpened;
    private boolean warnedMalformed;
    private long watchedAt = System.nanoTime() - WATCH_NANOS;
    private long successorSince;
    private long missingSince;
    private long grownAt;
    private long seenEnd;

    /** @param isInput see {@link Surroundings} */
    Tail(Path path, SourceOptions options, Claims claims, SpareBuffer spare, Predicate<Path> isInput, Surroundings.Elsewhere elsewhere,
         boolean keepReadBefore, Counts counts) {
        this.path = path;
        this.options = options;
        this.claims = claims;
        this.counts = counts;
        readBefore = new ReadBefore(path, keepReadBefore);
        generations = new Generations(path, claims, new Surroundings(path, claims, isInput, elsewhere, options.rotateSiblings()), readBefore);
        reader = new LineReader(options, spare);
        records = new LineRecords(path, options);
        successorSince = System.nanoTime() - options.rotateWait().toNanos();
    }

    Path path() {
        return path;
    }

    /** Starts in a file that no offset is stored for. */
    void begin(boolean fromEnd) throws IOException {
        generations.begin();
        openCurrent();
        if (generations.current() == null && Generation.identify(path).isPresent()) {
            LOG.warn("{} is a file that is read under another name already; it is not read twice", path);
        }
        if (fromEnd && generations.current() != null) {
            reader.seekToEnd();
            justOpened = false;
        }
    }

    /** Claims the files that a stored place speaks of, before any tail starts. */
    void claim(StoredPlace place) {
        place.fileKey().ifPresent(key -> claims.claim(new FileId(key), path));
        readBefore.restore(place.previous(), claims);
    }

    /** Starts from a stored place, as soon as there is a file. */
    void resume(StoredPlace place) throws IOException {
        waiting = place;
        seenWhileWaiting = null;
        wake();
    }

    /** Reads lines until the batch is full or there are no more for now. True if there may be more at once. */
    boolean readInto(Batch batch) throws IOException {
        long now = System.nanoTime();
        if (waiting != null) {
            wakeIfDue(now);
        } else if (now - watchedAt >= WATCH_NANOS) {
            watch(now);
        }
        if (generations.current() == null) {
            return false;
        }
        while (!batch.isFull()) {
            if (reader.next()) {
                emit(batch);
                continue;
            }
            int n = reader.fill();
            if (n == LineReader.TRUNCATED) {
                onTruncated(batch);
            } else if (n > 0) {
                onGrown(now);
            } else if (!onEnd(batch, now)) {
                reader.release();
                return false;
            }
        }
        return true;
    }

    private void emit(Batch batch) {
        batch.add(records.of(reader, generations.current(), readBefore, batch.timestamp()), Math.max(1, reader.position() - reader.textOffset()));
        if (reader.malformedLines() > 0 && !warnedMalformed) {
            warnedMalformed = true;
            LOG.warn("{}: line {} has bytes that are not {} text; they are replaced by U+FFFD. Set 'charset' to the file's encoding",
                generations.current().path(), reader.textLine(), options.charset());
        }
    }

    private void onGrown(long now) throws IOException {
        if (reader.readPosition() != seenEnd) {
            seenEnd = reader.readPosition();
            grownAt = now;
        }
        if (justOpened) {
            justOpened = false;
            if (generations.current() == generations.newest() && generations.findOlderThanFirstRead()) {
                counts.rotated();
                openCurrent();
            }
        }
    }

    /** The file begins otherwise than it did: what was read of it last is not to be trusted. */
    private void onTruncated(Batch batch) throws IOException {
        long position = reader.position();
        long line = reader.lineEnds();
        ConnectRecord partial = reader.finish(true) ? records.of(reader, generations.current(), readBefore, batch.timestamp()) : null;
        boolean copyFound = false;
        counts.truncated();
        if (generations.hasSuccessor()) {
            generations.advance();
        } else {
            copyFound = generations.truncated(position, line);
        }
        if (!copyFound) {
            LOG.warn("{} was truncated and no copy of it is beside it; lines after byte {} that were not read in time are lost to this reader",
                path, position);
            if (partial != null) {
                batch.add(partial, 1);
            }
        }
        openCurrent();
    }

    /** The current file has no more bytes. True if reading goes on, with more bytes or with the next file. */
    private boolean onEnd(Batch batch, long now) throws IOException {
        watch(now);
        if (!generations.hasSuccessor()) {
            onQuiet(batch, now);
            return false;
        }
        if (generations.successorIsNewest() && (generations.newest().size() == 0 || now - successorSince < options.rotateWait().toNanos())) {
            return false;
        }
        // Whoever writes to the next file has written all to this one before: a last look makes it complete.
        int n = reader.fill();
        if (n == LineReader.NOTHING || n == LineReader.TRUNCATED) {
            leave(batch);
            openCurrent();
        }
        return true;
    }

    private void onQuiet(Batch batch, long now) throws IOException {
        long quiet = now - grownAt;
        long timeout = options.lastLineTimeout().toNanos();
        if (generations.isMissing()) {
            long grace = Math.max(options.rotateWait().toNanos(), Duration.ofSeconds(1).toNanos());
            if (now - missingSince >= grace && generations.isCurrentGone()) {
                LOG.info("{} was deleted; it has been read to its end", path);
                leave(batch);
                return;
            }
        }
        if (reader.hasPartialLine()) {
            if (timeout > 0 && quiet >= timeout && reader.finish(false)) {
                emit(batch);
            }
        } else if (quiet >= options.idleClose().toNanos()) {
            suspend();
        }
    }

    /** Emits what is left of the current file and closes it. */
    private void leave(Batch batch) throws IOException {
        if (reader.finish(true)) {
            emit(batch);
        }
        reader.drop();
        generations.advance();
    }

    private void watch(long now) throws IOException {
        watchedAt = now;
        boolean wasMissing = generations.isMissing();
        boolean wasEmpty = generations.current() == null;
        if (generations.watch()) {
            successorSince = now;
            if (wasEmpty) {
                openCurrent();
            } else {
                counts.rotated();
                LOG.debug("{} was rotated", path);
            }
        }
        if (generations.isMissing() && !wasMissing) {
            missingSince = now;
        }
    }

    private void openCurrent() throws IOException {
        Generation current = generations.current();
        if (current != null) {
            reader.open(current);
            justOpened = current.startPosition() == 0;
            warnedMalformed = false;
            seenEnd = -1;
            grownAt = System.nanoTime();
        }
    }

    /** Closes the files, to go on from the same place when the path shows something new. */
    void suspend() throws IOException {
        Generation current = generations.current();
        if (waiting != null || current == null) {
            return;
        }
        long position = reader.position();
        waiting = new StoredPlace(position, reader.lineEnds(), Optional.of(current.id().key()), Fingerprint.parse(current.fingerprint(position)),
            List.of());
        seenWhileWaiting = attributes().filter(now -> !generations.hasSuccessor() && FileId.of(now).equals(current.id()) && now.size() == seenEnd)
            .orElse(null);
        reader.drop();
        generations.close();
        claims.claim(current.id(), path);
    }

    private void wakeIfDue(long now) throws IOException {
        if (now - watchedAt >= WATCH_NANOS) {
            watchedAt = now;
            wake();
        }
    }

    private void wake() throws IOException {
        Optional<BasicFileAttributes> now = attributes();
        if (seenWhileWaiting != null && now.isPresent() && now.get().size() == seenWhileWaiting.size()
            && FileId.of(now.get()).equals(FileId.of(seenWhileWaiting)) && now.get().lastModifiedTime().equals(seenWhileWaiting.lastModifiedTime())) {
            return;
        }
        StoredPlace place = waiting;
        Generations.Outcome outcome = generations.resume(place, (file, position) -> LineReader.lineEndsAt(file, position, options));
        if (outcome == Generations.Outcome.NOTHING) {
            if (seenWhileWaiting != null) {
                // It had been read to its end before it was closed, so that nothing is left to wait for.
                waiting = null;
                generations.watch();
            }
            return;
        }
        if (outcome == Generations.Outcome.LOST) {
            LOG.warn("{}: the file that the stored offset (byte {} of {}) speaks of is gone; what was not read of it is lost to this reader, "
                + "and the file that is there now is read from its beginning", path, place.position(), place.fileKey().orElse("an unnamed file"));
        }
        waiting = null;
        openCurrent();
    }

    private Optional<BasicFileAttributes> attributes() throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, BasicFileAttributes.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** True if {@code file}, which has a rotated name of this path, has been read here already or is a copy of what is read here. */
    boolean accountsFor(Generation file) throws IOException {
        if (readBefore.contains(file) || readBefore.containsCopy(file)) {
            return true;
        }
        Generation newest = generations.newest();
        return newest != null && (file.isCopyOf(newest) || file.beginsLike(newest));
    }

    /** Gives memory back while other files have their turn. */
    void release() {
        reader.release();
    }

    /** True if the file is read here now, or is the one that was read before, not another one that has got its inode since. */
    boolean owns(Generation file) throws IOException {
        if (generations.reads(file.id()) || waiting != null && waiting.fileKey().filter(file.id().key()::equals).isPresent() || readBefore.contains(file)) {
            return true;
        }
        readBefore.forget(file.id(), claims);
        claims.release(file.id(), path);
        return false;
    }

    void retainReadBefore(Set<FileId> present) {
        readBefore.retain(present, claims);
    }

    /** True if all has been read, nothing is at the path, and nothing that was there before lies about under another name. */
    boolean isOver() {
        return waiting == null && generations.current() == null && generations.isMissing() && readBefore.isEmpty();
    }

    /** Bytes that are there and have not been emitted. */
    long lag() throws IOException {
        return generations.current() == null ? 0 : Math.max(0, generations.bytes() - reader.position());
    }

    long malformedLines() {
        return reader.malformedLines();
    }

    @Override
    public void close() throws IOException {
        reader.drop();
        generations.close();
        claims.releaseAll(path);
    }
}
