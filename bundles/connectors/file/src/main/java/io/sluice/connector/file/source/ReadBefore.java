package io.sluice.connector.file.source;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files that a tail has read to their end and that may still lie about under rotated names. A glob may match such a name; then the
 * file must not be read again, not even after a restart: so the list is part of the tail's offsets.
 */
final class ReadBefore {

    /** How many are stored; the newest are. */
    private static final int MAX_STORED = 500;
    /** Searches in a row that must miss a file: one that runs while files are renamed may miss any. */
    private static final int MISSES = 10;

    private final Path path;
    private final boolean needed;
    private final Map<FileId, Fingerprint> files = new LinkedHashMap<>();
    private final Map<FileId, Integer> misses = new HashMap<>();
    private String text = "";

    /** @param needed false if nothing can match the names of rotated files */
    ReadBefore(Path path, boolean needed) {
        this.path = path;
        this.needed = needed;
    }

    void add(Generation file, Claims claims) throws IOException {
        if (needed) {
            files.put(file.id(), file.currentFingerprint());
            render();
        } else {
            claims.release(file.id(), path);
        }
    }

    void restore(List<StoredPlace.Previous> stored, Claims claims) {
        if (needed) {
            for (StoredPlace.Previous previous : stored) {
                FileId id = new FileId(previous.fileKey());
                files.put(id, previous.fingerprint());
                claims.claim(id, path);
            }
            render();
        }
    }

    /** True if it is one of these files, not another one that has got its inode since. */
    boolean contains(Generation file) throws IOException {
        Fingerprint fingerprint = files.get(file.id());
        return fingerprint != null && file.matches(fingerprint);
    }

    /** True if it begins as one of these files did. */
    boolean containsCopy(Generation file) throws IOException {
        for (Fingerprint fingerprint : files.values()) {
            if (fingerprint.length() > 0 && file.matches(fingerprint)) {
                return true;
            }
        }
        return false;
    }

    void forget(FileId id, Claims claims) {
        if (files.remove(id) != null) {
            claims.release(id, path);
            render();
        }
    }

    /** Forgets the files that no longer match a glob. */
    void retain(Set<FileId> present, Claims claims) {
        misses.keySet().removeAll(present);
        for (FileId id : List.copyOf(files.keySet())) {
            if (!present.contains(id) && misses.merge(id, 1, Integer::sum) >= MISSES) {
                misses.remove(id);
                forget(id, claims);
            }
        }
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /** The form in which the list is stored; empty if it is. */
    String text() {
        return text;
    }

    private void render() {
        List<String> entries = new ArrayList<>();
        files.forEach((id, fingerprint) -> entries.add(new StoredPlace.Previous(id.key(), fingerprint).toString()));
        text = String.join(";", entries.subList(Math.max(0, entries.size() - MAX_STORED), entries.size()));
    }
}
