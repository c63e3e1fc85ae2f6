package io.sluice.connector.file.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What lies at a tailed path and beside it, and which of it is old news. */
final class Surroundings {

    /** How often to look again when something is renamed during a look. */
    static final int ATTEMPTS = 50;

    /**
     * One consistent look.
     *
     * @param current the file at the path, open; empty if there is none or it belongs to another tail
     * @param siblings the files beside it that bear a rotated name of it
     */
    record View(Optional<Generation> current, List<Sibling> siblings) {
    }

    /** Tells whether a file is another tail's business: the copy that a rotation made of that one's file, for example. */
    interface Elsewhere {
        boolean accountsFor(Generation file) throws IOException;
    }

    /** A sibling that needs no reading: what it looked like, and its first bytes in case its inode is used for another file later. */
    private record Known(FileTime modified, long size, Fingerprint fingerprint) {
    }

    private final Path path;
    private final Claims claims;
    private final Predicate<Path> isInput;
    private final Elsewhere elsewhere;
    private final boolean lookAtSiblings;
    private final Map<FileId, Known> known = new HashMap<>();
    /** Where the file really is: the target, if the path is a symbolic link. */
    private Path location;

    /** @param isInput true for paths that are read for their own sake and so are no rotated files of this one */
    Surroundings(Path path, Claims claims, Predicate<Path> isInput, Elsewhere elsewhere, boolean lookAtSiblings) {
        this.path = path;
        this.claims = claims;
        this.isInput = isInput;
        this.elsewhere = elsewhere;
        this.lookAtSiblings = lookAtSiblings;
        location = path;
    }

    /** Looks until what is at the path has not changed during the look. */
    View look() throws IOException {
        for (int i = 0; ; i++) {
            Optional<Generation> current = Generation.open(path);
            try {
                List<Sibling> siblings = lookAtSiblings ? Sibling.list(directory(), names()::matches) : List.of();
                if (current.map(Generation::id).equals(Generation.identify(path)) || i == ATTEMPTS) {
                    boolean free = current.isPresent() && !claims.byOtherThan(path, current.get().id()) && !elsewhere.accountsFor(current.get());
                    if (!free) {
                        close(current.stream().toList());
                    }
                    return new View(free ? current : Optional.empty(), siblings);
                }
            } catch (IOException e) {
                close(current.stream().toList());
                throw e;
            }
            close(current.stream().toList());
        }
    }

    /** Takes the place where the file is now for the place to look for rotated files. */
    void settle() throws IOException {
        location = Files.exists(path) ? path.toRealPath() : path;
    }

    /** Opens the file of the directory, whatever its name, that is the wanted one. */
    Optional<Generation> find(Predicate<FileId> wanted) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            Optional<Sibling> seen = Sibling.list(directory(), name -> true).stream().filter(sibling -> wanted.test(sibling.id())).findFirst();
            Optional<Generation> file = seen.isPresent() ? openAs(seen.get()) : Optional.empty();
            if (file.isPresent() || seen.isEmpty()) {
                return file;
            }
        }
        throw tooFast();
    }

    /** True if no file of the directory is this one. */
    boolean isGone(FileId id) throws IOException {
        return Sibling.list(directory(), name -> true).stream().noneMatch(sibling -> sibling.id().equals(id));
    }

    /** All siblings of {@code view}, opened, from the oldest on; empty if one of them is no longer where it was seen: look again then. */
    Optional<List<Generation>> openInOrder(View view, Predicate<Sibling> wanted) throws IOException {
        List<Generation> files = new ArrayList<>();
        for (Sibling sibling : view.siblings().stream().filter(wanted).sorted(names().oldestFirst(view.siblings())).toList()) {
            Optional<Generation> file = openAs(sibling);
            if (file.isEmpty()) {
                close(files);
                return Optional.empty();
            }
            files.add(file.get());
        }
        return Optional.of(files);
    }

    /** True if another tail reads or has read the file. */
    boolean belongsToOther(Sibling sibling) {
        return claims.byOtherThan(path, sibling.id());
    }

    /** True for a sibling that may be a generation of this file which nobody has read. */
    boolean isUnread(Sibling sibling) {
        Known entry = known.get(sibling.id());
        return !(entry != null && entry.size == sibling.size() && Objects.equals(entry.modified, sibling.modified()))
            && !isInput.test(sibling.path()) && !belongsToOther(sibling);
    }

    /** The same of a sibling of {@code view} that has been opened. */
    boolean isUnread(Generation file, View view) {
        return view.siblings().stream().filter(sibling -> sibling.id().equals(file.id())).allMatch(this::isUnread);
    }

    /** True if the file is known from before under its key and not another one that has got its inode since. */
    boolean isKnown(Generation file) throws IOException {
        Known entry = known.get(file.id());
        return entry != null && entry.fingerprint.length() > 0 && file.matches(entry.fingerprint)
            && (entry.fingerprint.length() == Generation.HEAD || file.size() == entry.fingerprint.length());
    }

    void remember(Generation file) throws IOException {
        known.put(file.id(), new Known(null, -1, file.currentFingerprint()));
    }

    /** Takes all siblings for old news, and forgets those that are no more. */
    void rememberAll(View view, Set<FileId> except) throws IOException {
        known.keySet().retainAll(view.siblings().stream().map(Sibling::id).collect(Collectors.toSet()));
        for (Sibling sibling : view.siblings()) {
            if (!except.contains(sibling.id()) && isUnread(sibling)) {
                Optional<Generation> file = find(sibling.id()::equals);
                if (file.isPresent()) {
                    try (Generation open = file.get()) {
                        known.put(sibling.id(), new Known(sibling.modified(), sibling.size(), open.currentFingerprint()));
                    }
                }
            }
        }
    }

    /** Order of siblings and {@code file}, which may have any name. */
    List<FileId> orderWith(Generation file, View view) throws IOException {
        List<Sibling> all = new ArrayList<>(view.siblings());
        if (all.stream().noneMatch(sibling -> sibling.id().equals(file.id()))) {
            all.add(new Sibling(file.path(), file.id(), Files.getLastModifiedTime(file.path()), file.size()));
        }
        return all.stream().sorted(names().oldestFirst(view.siblings())).map(Sibling::id).toList();
    }

    /** The error when looking again and again does not help. */
    IOException tooFast() {
        return new IOException(path + " rotates faster than its directory can be read");
    }

    static void close(List<Generation> files) throws IOException {
        for (Generation file : files) {
            file.close();
        }
    }

    private static Optional<Generation> openAs(Sibling sibling) throws IOException {
        Optional<Generation> file = Generation.open(sibling.path());
        if (file.isPresent() && !file.get().id().equals(sibling.id())) {
            file.get().close();
            return Optional.empty();
        }
        return file;
    }

    private Path directory() {
        return location.getParent();
    }

    private RotatedNames names() {
        return new RotatedNames(location.getFileName().toString());
    }
}
