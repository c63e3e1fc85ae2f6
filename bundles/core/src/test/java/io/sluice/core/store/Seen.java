package io.sluice.core.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a log told its follower. */
final class Seen implements StoreLog.Follower {

    private final List<Long> positions = new ArrayList<>();
    private final Map<String, String> values = new LinkedHashMap<>();

    @Override
    public synchronized void apply(long position, String key, byte[] value) {
        positions.add(position);
        values.remove(key);
        if (value != null) {
            values.put(key, new String(value, StandardCharsets.UTF_8));
        }
    }

    /** In the order of their last entries. */
    synchronized Map<String, String> values() {
        return new LinkedHashMap<>(values);
    }

    synchronized List<Long> positions() {
        return List.copyOf(positions);
    }

    synchronized long lastPosition() {
        return positions.isEmpty() ? -1 : positions.get(positions.size() - 1);
    }
}
