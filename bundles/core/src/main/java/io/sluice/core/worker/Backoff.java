package io.sluice.core.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses between tries: they double from a first up to a longest one, each shortened at random by up to a fifth. */
final class Backoff {

    private static final Duration FIRST = Duration.ofMillis(100);

    private final long longestMs;
    private long nextMs = FIRST.toMillis();

    Backoff(Duration longest) {
        this.longestMs = Math.max(1, longest.toMillis());
    }

    /** How long to wait before the next try. */
    Duration next() {
        long pause = Math.min(nextMs, longestMs);
        nextMs = Math.min(longestMs, nextMs * 2);
        return Duration.ofMillis(pause - ThreadLocalRandom.current().nextLong(pause / 5 + 1));
    }

    /** Begin again with the first pause: a try has succeeded. */
    void reset() {
        nextMs = FIRST.toMillis();
    }
}
