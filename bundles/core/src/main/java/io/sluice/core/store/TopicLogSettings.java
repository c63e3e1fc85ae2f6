package io.sluice.core.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How a {@link TopicStoreLog} behaves.
 *
 * @param folder where it keeps its checkpoint; nobody else's
 * @param openTimeout how long opening may take
 * @param appendTimeout after which time an append that is not confirmed has failed
 * @param snapshotInterval how old the newest snapshot in the topic may become; by default a third of the broker's retention, at most 12 h
 * @param snapshotMessages how many messages may follow it
 * @param snapshotBytes how many bytes may follow it, or twice what counts, if that is more
 * @param checkpointInterval how often the local checkpoint is written if there is something new
 * @param patience how long a broker may say that the queue ends before what was read, as it does after a crash, until that is believed
 * @param settle how long to wait for other workers' candidates before a new era begins
 */
public record TopicLogSettings(Path folder, Duration openTimeout, Duration appendTimeout, Optional<Duration> snapshotInterval, long snapshotMessages,
                               long snapshotBytes, Duration checkpointInterval, Duration patience, Duration settle) {

    public TopicLogSettings {
        Objects.requireNonNull(folder, "folder");
    }

    /** The defaults. */
    public static TopicLogSettings in(Path folder) {
        return new TopicLogSettings(folder, Duration.ofSeconds(60), Duration.ofSeconds(10), Optional.empty(), 100_000, 16 << 20,
            Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofSeconds(5));
    }

    TopicLogSettings withTimeouts(Duration open, Duration append) {
        return new TopicLogSettings(folder, open, append, snapshotInterval, snapshotMessages, snapshotBytes, checkpointInterval, patience, settle);
    }

    TopicLogSettings withSnapshots(Duration interval, long messages, long bytes) {
        return new TopicLogSettings(folder, openTimeout, appendTimeout, Optional.of(interval), messages, bytes, checkpointInterval, patience, settle);
    }

    TopicLogSettings withPatience(Duration wait, Duration others) {
        return new TopicLogSettings(folder, openTimeout, appendTimeout, snapshotInterval, snapshotMessages, snapshotBytes, checkpointInterval, wait,
            others);
    }
}
