package io.sluice.connector.jdbc.source.read;

import java.util.Arrays;
import java.util.Optional;

/** How a source finds what is new. */
public enum Mode {
    BULK("bulk", false, false),
    INCREMENTING("incrementing", true, false),
    TIMESTAMP("timestamp", false, true),
    TIMESTAMP_INCREMENTING("timestamp+incrementing", true, true);

    private final String word;
    private final boolean incrementing;
    private final boolean timestamp;

    Mode(String word, boolean incrementing, boolean timestamp) {
        this.word = word;
        this.incrementing = incrementing;
        this.timestamp = timestamp;
    }

    /** The word that stands in a configuration. */
    public String word() {
        return word;
    }

    /** True if a column that only grows takes part in it. */
    public boolean hasIncrementing() {
        return incrementing;
    }

    /** True if columns with the time of a row's last change take part in it. */
    public boolean hasTimestamp() {
        return timestamp;
    }

    public static Optional<Mode> of(String word) {
        return Arrays.stream(values()).filter(mode -> mode.word.equalsIgnoreCase(word.trim())).findFirst();
    }
}
