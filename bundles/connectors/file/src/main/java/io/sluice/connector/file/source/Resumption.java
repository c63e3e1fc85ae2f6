package io.sluice.connector.file.source;

import io.sluice.connector.file.source.Surroundings.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Where reading goes on from a stored place: in the same file if it is still at the path; else in that file under its new name, or in the copy
 * that was made of it, then in what came after it, then in what is at the path now.
 *
 * @param files what to read, in order, each with its start position; open
 * @param placeFound true if the first of them is the file of the stored place, or has its content
 * @param view what was seen
 */
record Resumption(List<Generation> files, boolean placeFound, View view) {

    static Resumption find(StoredPlace place, Surroundings surroundings, BiPredicate<Generation, Long> lineEndsAt) throws IOException {
        for (int i = 0; i < Surroundings.ATTEMPTS; i++) {
            View view = surroundings.look();
            List<Generation> open = new ArrayList<>(view.current().stream().toList());
            try {
                Optional<Resumption> found = attempt(place, surroundings, lineEndsAt, view, open);
                if (found.isPresent()) {
                    open.removeAll(found.get().files);
                    return found.get();
                }
            } catch (IOException | RuntimeException e) {
                Surroundings.close(open);
                open.clear();
                throw e;
            } finally {
                Surroundings.close(open);
            }
        }
        throw surroundings.tooFast();
    }

    /** @param open takes every file that is opened on the way */
    private static Optional<Resumption> attempt(StoredPlace place, Surroundings surroundings, BiPredicate<Generation, Long> lineEndsAt, View view,
                                                List<Generation> open) throws IOException {
        Optional<Generation> current = view.current();
        if (current.isPresent() && place.fileKey().map(current.get().id()::isStoredAs).orElse(true) && fits(current.get(), place)) {
            return Optional.of(here(current.get(), place, view));
        }
        Optional<Generation> renamed = place.fileKey().isEmpty() ? Optional.empty()
            : surroundings.find(id -> id.isStoredAs(place.fileKey().get()) && current.filter(now -> now.id().equals(id)).isEmpty());
        renamed.ifPresent(open::add);
        if (renamed.isPresent() && !fits(renamed.get(), place)) {
            renamed = Optional.empty();
        }
        boolean hasContent = place.fingerprint().filter(print -> print.length() > 0).isPresent();
        // The same content under another key: restored from a copy, or on a file system that numbers its files anew.
        if (renamed.isEmpty() && current.isPresent() && hasContent && fits(current.get(), place) && lineEndsAt.test(current.get(), place.position())) {
            return Optional.of(here(current.get(), place, view));
        }
        Optional<List<Generation>> siblings = surroundings.openInOrder(view, sibling -> !surroundings.belongsToOther(sibling)
            && open.stream().noneMatch(file -> file.id().equals(sibling.id())));
        if (siblings.isEmpty()) {
            return Optional.empty();
        }
        open.addAll(siblings.get());
        Optional<Generation> old = renamed;
        for (Generation sibling : siblings.get()) {
            if (old.isEmpty() && hasContent && fits(sibling, place)) {
                old = Optional.of(sibling);
            }
        }
        List<Generation> files = new ArrayList<>();
        if (old.isPresent()) {
            files.add(old.get().startAt(place.position(), place.line()));
            files.addAll(laterThan(old.get(), siblings.get(), view, surroundings));
        }
        current.ifPresent(files::add);
        return Optional.of(new Resumption(files, old.isPresent(), view));
    }

    private static Resumption here(Generation current, StoredPlace place, View view) {
        return new Resumption(List.of(current.startAt(place.position(), place.line())), true, view);
    }

    /** The siblings that rotated after {@code old} did and that nobody has read. */
    private static List<Generation> laterThan(Generation old, List<Generation> siblings, View view, Surroundings surroundings) throws IOException {
        List<FileId> order = surroundings.orderWith(old, view);
        int from = order.indexOf(old.id());
        List<Generation> later = new ArrayList<>();
        for (Generation sibling : siblings) {
            if (sibling != old && order.indexOf(sibling.id()) > from && surroundings.isUnread(sibling, view) && !sibling.isCopyOf(old)
                && !(view.current().isPresent() && sibling.isCopyOf(view.current().get()))) {
                later.add(sibling);
            }
        }
        return later;
    }

    private static boolean fits(Generation file, StoredPlace place) throws IOException {
        return file.size() >= place.position() && (place.fingerprint().isEmpty() || file.matches(place.fingerprint().get()));
    }
}
