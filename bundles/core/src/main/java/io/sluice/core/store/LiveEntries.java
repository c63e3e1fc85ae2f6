package io.sluice.core.store;

import java.util.HashMap;
import java.util.Map;

/** Which entries of a log count: the last one of every key, unless it says that the key is gone. One thread. */
final class LiveEntries {

    private record Place(long position, int bytes) { }

    private final Map<String, Place> places = new HashMap<>();
    private long bytes;

    /** Takes note of the next entry of the log. */
    void note(long position, String key, boolean present, int entryBytes) {
        Place before = present ? places.put(key, new Place(position, entryBytes)) : places.remove(key);
        bytes += (present ? entryBytes : 0) - (before == null ? 0 : before.bytes());
    }

    /** True if the entry at a position is the one that counts for its key. */
    boolean counts(long position, String key) {
        Place place = places.get(key);
        return place != null && place.position() == position;
    }

    /** How many bytes all entries that count take. */
    long bytes() {
        return bytes;
    }
}
