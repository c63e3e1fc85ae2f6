package io.sluice.connector.file.source;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Which tail reads or has read which file, so that a file that is renamed, or has two names, is not read twice. */
final class Claims {

    private final Map<FileId, Path> owners = new HashMap<>();

    /** The path of the tail that the file belongs to; null if to none. */
    Path owner(FileId id) {
        return owners.get(id);
    }

    boolean byOtherThan(Path path, FileId id) {
        Path owner = owners.get(id);
        return owner != null && !owner.equals(path);
    }

    void claim(FileId id, Path path) {
        owners.put(id, path);
    }

    void release(FileId id, Path path) {
        owners.remove(id, path);
    }

    void releaseAll(Path path) {
        owners.values().removeIf(path::equals);
    }
}
