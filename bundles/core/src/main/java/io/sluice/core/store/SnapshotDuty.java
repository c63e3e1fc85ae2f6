package io.sluice.core.store;

import io.sluice.core.rocketmq.LogTopic.Message;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * When a {@link TopicStoreLog} needs a snapshot in its topic, and when its checkpoint is to be written. Every worker watches, and waits a
 * random time before it writes, so that mostly one does. One thread.
 */
final class SnapshotDuty {

    private static final Duration LONGEST_INTERVAL = Duration.ofHours(12);
    private static final Duration SHORTEST_INTERVAL = Duration.ofMinutes(1);
    private static final long MOST_DELAY_MS = 5_000;

    private final TopicLogSettings settings;
    private final LogState state;
    private Duration interval = LONGEST_INTERVAL;
    private long hint = -1;
    /** When the broker stored the newest snapshot, or the first message that was read if there is none; in its time. */
    private long since;
    private boolean sinceKnown;
    private long messages;
    private long bytes;
    private long readNanos = System.nanoTime();
    private long dueNanos;
    private boolean due;
    private long checkpointNanos = System.nanoTime();
    private long checkpointPosition = -1;

    SnapshotDuty(TopicLogSettings settings, LogState state) {
        this.settings = settings;
        this.state = state;
        settings.snapshotInterval().ifPresent(set -> interval = set);
    }

    /** How long the broker keeps messages. */
    void retention(Duration kept) {
        if (settings.snapshotInterval().isEmpty()) {
            Duration third = kept.dividedBy(3);
            interval = third.compareTo(SHORTEST_INTERVAL) < 0 ? SHORTEST_INTERVAL : third.compareTo(LONGEST_INTERVAL) > 0 ? LONGEST_INTERVAL : third;
        }
    }

    /** Where the newest complete snapshot begins; -1 if none is known. */
    long hint() {
        return hint;
    }

    /** A complete snapshot was read. */
    void snapshotAt(long offset, long storedAt) {
        hint = offset;
        since = storedAt;
        sinceKnown = true;
        messages = 0;
        bytes = 0;
        due = false;
    }

    /** A message was applied. */
    void read(Message message) {
        readNanos = System.nanoTime();
        messages++;
        bytes += message.body().length;
        if (!sinceKnown) {
            sinceKnown = true;
            since = message.storedAt();
        }
    }

    /** The snapshot to write now, if one is needed. */
    Optional<LogSnapshot> due() {
        if (state.position() < 0 || !sinceKnown) {
            return Optional.empty();
        }
        long now = System.nanoTime();
        long ageMs = state.storedAt() - since + TimeUnit.NANOSECONDS.toMillis(now - readNanos);
        if (ageMs <= interval.toMillis() && messages <= settings.snapshotMessages() && bytes <= Math.max(settings.snapshotBytes(), 2 * state.bytes())) {
            due = false;
            return Optional.empty();
        }
        if (!due) {
            due = true;
            dueNanos = now + TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(1 + Math.min(MOST_DELAY_MS, interval.toMillis() / 10)));
        }
        if (now - dueNanos < 0) {
            return Optional.empty();
        }
        due = false;
        return Optional.of(state.snapshot());
    }

    /** The checkpoint to write now, if it is time. */
    Optional<LogSnapshot> checkpoint() {
        long now = System.nanoTime();
        if (now - checkpointNanos < settings.checkpointInterval().toNanos() || state.position() == checkpointPosition) {
            return Optional.empty();
        }
        checkpointNanos = now;
        checkpointPosition = state.position();
        return Optional.of(state.snapshot());
    }
}
