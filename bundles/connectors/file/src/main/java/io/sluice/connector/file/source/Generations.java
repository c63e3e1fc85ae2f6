package io.sluice.connector.file.source;

import io.sluice.connector.file.source.Surroundings.View;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that were, one after the other, at one path, in the order in which they are to be read. The last is the one that is there now;
 * all are open, so that none is lost when it is renamed again or deleted.
 *
 * <p>Two ways of rotation are known. A file is renamed and another one made: the path shows another file key. Or the file is copied and
 * then truncated: it begins otherwise than it did. In both ways a file may rotate several times between two looks; the files that nobody
 * saw are found beside it by their names.
 */
final class Generations implements Closeable {

    /** What came of the attempt to go on from a stored place. */
    enum Outcome {
        /** The file was found and is gone on with. */
        FOUND,
        /** The file is gone; reading begins with what is at the path. */
        LOST,
        /** Neither that file nor any other is there. */
        NOTHING
    }

    private static final Logger LOG = LoggerFactory.getLogger(Generations.class);

    private final Path path;
    private final Claims claims;
    private final Surroundings surroundings;
    private final ReadBefore readBefore;
    private final Deque<Generation> queue = new ArrayDeque<>();
    private boolean missing;

    Generations(Path path, Claims claims, Surroundings surroundings, ReadBefore readBefore) {
        this.path = path;
        this.claims = claims;
        this.surroundings = surroundings;
        this.readBefore = readBefore;
    }

    /** The file to read; null if there is none. */
    Generation current() {
        return queue.peekFirst();
    }

    /** The file that is, or was when last looked at, at the path; null if there is none. */
    Generation newest() {
        return queue.peekLast();
    }

    boolean hasSuccessor() {
        return queue.size() > 1;
    }

    /** True if the file after the current one is the one at the path. */
    boolean successorIsNewest() {
        return queue.size() == 2;
    }

    /** True if nothing was at the path when last looked at. */
    boolean isMissing() {
        return missing;
    }

    /** Starts without a stored place. */
    void begin() throws IOException {
        surroundings.settle();
        View view = surroundings.look();
        view.current().ifPresent(this::add);
        surroundings.rememberAll(view, ids());
    }

    /** Starts from a stored place, wherever the file that it means is now. */
    Outcome resume(StoredPlace place, BiPredicate<Generation, Long> lineEndsAt) throws IOException {
        surroundings.settle();
        Resumption resumption = Resumption.find(place, surroundings, lineEndsAt);
        resumption.files().forEach(this::add);
        surroundings.rememberAll(resumption.view(), ids());
        if (resumption.placeFound()) {
            return Outcome.FOUND;
        }
        return queue.isEmpty() ? Outcome.NOTHING : Outcome.LOST;
    }

    /** Looks whether another file has come to the path. True if so. */
    boolean watch() throws IOException {
        Optional<FileId> now = Generation.identify(path);
        missing = now.isEmpty();
        if (missing || !queue.isEmpty() && queue.getLast().id().equals(now.get()) || claims.byOtherThan(path, now.get())) {
            return false;
        }
        for (int i = 0; i < Surroundings.ATTEMPTS; i++) {
            View view = surroundings.look();
            Optional<Generation> next = view.current().filter(file -> queue.isEmpty() || !queue.getLast().id().equals(file.id()));
            if (next.isEmpty()) {
                Surroundings.close(view.current().stream().toList());
                return false;
            }
            Optional<List<Generation>> unread = unread(view, next.get());
            if (unread.isPresent()) {
                unread.get().forEach(this::add);
                add(next.get());
                surroundings.rememberAll(view, ids());
                surroundings.settle();
                return true;
            }
            next.get().close();
        }
        throw surroundings.tooFast();
    }

    /**
     * Called when the first bytes of the newest file have been read and none of its lines has been emitted: puts before it what was copied
     * from it before and truncated away unseen. True if there is something to read first.
     */
    boolean findOlderThanFirstRead() throws IOException {
        Generation file = queue.getLast();
        for (int i = 0; i < Surroundings.ATTEMPTS; i++) {
            View view = surroundings.look();
            Surroundings.close(view.current().stream().toList());
            if (view.current().isEmpty() || !view.current().get().id().equals(file.id())) {
                return false;
            }
            Optional<List<Generation>> unread = unread(view, file);
            if (unread.isPresent()) {
                queue.removeLast();
                unread.get().forEach(this::add);
                add(file);
                return !unread.get().isEmpty();
            }
        }
        return false;
    }

    /**
     * Called when the current file begins otherwise than it did: goes on in the copy that was made of it, if one is found, then in what was
     * copied later, then in the file itself from its beginning. True if the copy was found.
     */
    boolean truncated(long position, long line) throws IOException {
        Generation file = queue.getFirst();
        if (queue.size() > 1) {
            return false;
        }
        for (int i = 0; i < Surroundings.ATTEMPTS; i++) {
            View view = surroundings.look();
            Surroundings.close(view.current().stream().toList());
            Optional<List<Generation>> opened = surroundings.openInOrder(view,
                sibling -> !surroundings.belongsToOther(sibling) && !ids().contains(sibling.id()));
            if (opened.isEmpty()) {
                continue;
            }
            Optional<Generation> copy = Optional.empty();
            List<Generation> later = new ArrayList<>();
            for (Generation sibling : opened.get()) {
                if (copy.isEmpty() && sibling.beginsLike(file) && sibling.size() >= position) {
                    Surroundings.close(later);
                    later.clear();
                    copy = Optional.of(sibling.startAt(position, line));
                } else if (surroundings.isUnread(sibling, view) && !surroundings.isKnown(sibling) && !sibling.isCopyOf(file)) {
                    later.add(sibling);
                } else {
                    sibling.close();
                }
            }
            queue.clear();
            copy.ifPresent(this::add);
            later.forEach(this::add);
            file.restart();
            queue.add(file);
            return copy.isPresent();
        }
        throw surroundings.tooFast();
    }

    /** Siblings that nobody has read and that are no copies of what is read anyway; empty if something moved meanwhile. */
    private Optional<List<Generation>> unread(View view, Generation next) throws IOException {
        Optional<List<Generation>> opened = surroundings.openInOrder(view,
            sibling -> surroundings.isUnread(sibling) && !ids().contains(sibling.id()) && !sibling.id().equals(next.id()));
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        List<Generation> unread = new ArrayList<>();
        for (Generation sibling : opened.get()) {
            boolean copy = sibling.isCopyOf(next);
            for (Generation queued : queue) {
                copy |= sibling.isCopyOf(queued);
            }
            if (copy || surroundings.isKnown(sibling)) {
                sibling.close();
            } else {
                unread.add(sibling);
            }
        }
        return Optional.of(unread);
    }

    /** Leaves the current file, which has been read to its end. */
    void advance() throws IOException {
        try (Generation done = queue.removeFirst()) {
            surroundings.remember(done);
            readBefore.add(done, claims);
        }
    }

    /** True if the current file is no longer in its directory under any name. */
    boolean isCurrentGone() throws IOException {
        return surroundings.isGone(queue.getFirst().id());
    }

    /** True if the file is one of those to read. */
    boolean reads(FileId id) {
        return ids().contains(id);
    }

    /** The bytes of all files to read. */
    long bytes() throws IOException {
        long bytes = 0;
        for (Generation file : queue) {
            bytes += file.size();
        }
        return bytes;
    }

    private void add(Generation file) {
        queue.add(file);
        claims.claim(file.id(), path);
        LOG.debug("{}: will read {} from byte {} on", path, file, file.startPosition());
    }

    private Set<FileId> ids() {
        Set<FileId> ids = new HashSet<>();
        queue.forEach(file -> ids.add(file.id()));
        return ids;
    }

    /** Closes all files; the next thing must be a start. */
    @Override
    public void close() throws IOException {
        Surroundings.close(List.copyOf(queue));
        queue.forEach(file -> claims.release(file.id(), path));
        queue.clear();
    }
}
