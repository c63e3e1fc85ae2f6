package io.sluice.core.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A log that several workers share, as a topic will be: what one appends is in the log at once, and each reads it at its own pace, when
 * the test says so. One thread.
 */
final class SharedLog {

    private record Placed(long position, String key, byte[] value) { }

    private final NavigableMap<Long, Placed> entries = new TreeMap<>();
    private long next;

    /** One worker's view. */
    final class View implements StoreLog {

        private final Map<Long, CompletableFuture<Long>> own = new HashMap<>();
        private Follower follower;
        private long read = -1;

        @Override
        public void open(Follower to) {
            follower = to;
            while (step()) {
                // All that is there.
            }
        }

        @Override
        public CompletableFuture<Long> append(List<Entry> more) {
            more.forEach(entry -> entries.put(next, new Placed(next++, entry.key(), entry.value())));
            CompletableFuture<Long> confirmed = new CompletableFuture<>();
            own.put(next - 1, confirmed);
            return confirmed;
        }

        /** Reads one more entry. @return false if there is none */
        boolean step() {
            Map.Entry<Long, Placed> following = entries.higherEntry(read);
            if (following == null) {
                return false;
            }
            Placed entry = following.getValue();
            read = entry.position;
            follower.apply(entry.position, entry.key, entry.value);
            CompletableFuture<Long> confirmed = own.remove(entry.position);
            if (confirmed != null) {
                confirmed.complete(entry.position);
            }
            return true;
        }

        long read() {
            return read;
        }

        @Override
        public void close() {
            own.clear();
        }
    }

    View view() {
        return new View();
    }

    /** Drops what does not count any more, up to a position. */
    void compact(long upTo) {
        Map<String, Long> last = new HashMap<>();
        entries.values().forEach(entry -> last.put(entry.key, entry.position));
        entries.values().removeIf(entry -> entry.position <= upTo && (last.get(entry.key) != entry.position || entry.value == null));
    }

    int size() {
        return entries.size();
    }
}
