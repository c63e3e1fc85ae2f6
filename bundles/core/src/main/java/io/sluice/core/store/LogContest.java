package io.sluice.core.store;

import io.sluice.core.rocketmq.LogTopic;
import io.sluice.core.store.SnapshotParts.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the workers agree with what a {@link TopicStoreLog} goes on when the queue has lost what was in it. Everybody who holds more than the
 * candidates that are there writes what it holds as one; when none has come for a while, anybody says that the best one is it. The first
 * message that says so counts, for all alike, since all read the same queue.
 *
 * <p>All that they hold are beginnings of the same log. So the longest contains what all others hold, and every entry that a worker
 * which takes part has confirmed, as it had read it.
 */
final class LogContest {

    private static final Logger LOG = LoggerFactory.getLogger(LogContest.class);
    private static final long MOST_DELAY_MS = 500;
    private static final Duration SEND = Duration.ofSeconds(5);
    private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final LogTopic topic;
    private final TopicLogSettings settings;
    private final UUID writer;
    private final SnapshotParts parts;
    private long publishAtNanos;
    private boolean publishing;
    private long openedNanos;
    private boolean opened;

    LogContest(LogTopic topic, TopicLogSettings settings, UUID writer, SnapshotParts parts) {
        this.topic = topic;
        this.settings = settings;
        this.writer = writer;
        this.parts = parts;
    }

    /** What may be done next, when all that is in the queue was read. */
    enum Turn { WAIT, PUBLISH, OPEN }

    /** @param era the number of the era that this worker is in @param held the position up to which it holds the log; -1 for nothing */
    Turn turn(long era, long held) {
        long now = System.nanoTime();
        Optional<Snapshot> best = parts.best(era);
        if (held >= 0 && (best.isEmpty() || best.get().cover() < held)) {
            if (!publishing) {
                publishing = true;
                publishAtNanos = now + TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(MOST_DELAY_MS));
            }
            return now - publishAtNanos >= 0 ? Turn.PUBLISH : Turn.WAIT;
        }
        publishing = false;
        boolean settled = best.isPresent() && now - best.get().completedNanos() > settings.settle().toNanos();
        return settled && (!opened || now - openedNanos > REPEAT_NANOS) ? Turn.OPEN : Turn.WAIT;
    }

    /** Writes what this worker holds. */
    void publish(LogSnapshot held, int maxBytes) {
        long number = Math.max(held.era().number() + 1, parts.highestEra());
        UUID id = UUID.randomUUID();
        List<byte[]> pieces = TopicLogWriter.split(held.encode(), maxBytes);
        LOG.warn("topic '{}': it does not hold any more what was in it; writing what this worker has of it, {} entries up to position {}", topic.name(),
            held.entries().size(), held.cover());
        for (int i = 0; i < pieces.size(); i++) {
            topic.send(LogFrame.part(new LogFrame.Part(new LogFrame.Header(number, id, writer, 0, -1), true, id, i, pieces.size(), held.cover(),
                pieces.get(i))), SEND);
        }
        publishAtNanos = System.nanoTime() + REPEAT_NANOS;
    }

    /** Says that it is the best one. */
    void open(long era) {
        Snapshot best = parts.best(era).orElseThrow();
        topic.send(LogFrame.open(new LogFrame.Open(new LogFrame.Header(best.header().era(), best.id(), writer, 0, best.offset()), best.id())), SEND);
        opened = true;
        openedNanos = System.nanoTime();
    }

    void reset() {
        publishing = false;
        opened = false;
    }
}
