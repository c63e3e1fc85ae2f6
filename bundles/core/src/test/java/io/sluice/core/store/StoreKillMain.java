package io.sluice.core.store;

import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Appends to a log as fast as it can until it is killed, and prints the position of every entry that was confirmed. What it appends follows
 * from the position alone.
 */
public final class StoreKillMain {

    private static final int KEYS = 50;
    private static final int IN_FLIGHT = 200;

    private StoreKillMain() {
    }

    static String key(long position) {
        return "key" + position * 7_919 % KEYS;
    }

    /** Null where the key is removed. */
    static byte[] value(long position) {
        return position % 11 == 3 ? null : (position + " ").repeat((int) (position % 40) + 1).getBytes(StandardCharsets.UTF_8);
    }

    /** What a log holds after the entry at a position. */
    static Map<String, String> state(long last) {
        Map<String, String> state = new LinkedHashMap<>();
        for (long position = 0; position <= last; position++) {
            state.remove(key(position));
            byte[] value = value(position);
            if (value != null) {
                state.put(key(position), new String(value, StandardCharsets.UTF_8));
            }
        }
        return state;
    }

    /** @param args the folder */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        AtomicLong last = new AtomicLong(-1);
        // A small limit, so that it is compacted all the time.
        StoreLog log = new FileStoreLog(Path.of(args[0]), new Compaction.Limits(20_000, 3_000), FileChannel::open);
        log.open((position, key, value) -> last.set(position));
        Semaphore inFlight = new Semaphore(IN_FLIGHT);
        for (long position = last.get() + 1; ; position++) {
            inFlight.acquire();
            log.append(key(position), value(position)).whenComplete((confirmed, e) -> {
                out.println(e == null ? "confirmed " + confirmed : "failed " + e);
                inFlight.release();
            });
        }
    }
}
