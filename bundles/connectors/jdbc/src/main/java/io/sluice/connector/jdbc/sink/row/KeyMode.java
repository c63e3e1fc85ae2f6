package io.sluice.connector.jdbc.sink.row;

import java.util.Locale;

/** Where a row's key comes from. */
public enum KeyMode {
    /** There is none. */
    NONE,
    /** The record's key: itself, or fields of it. */
    RECORD_KEY,
    /** Fields of the record's value. */
    RECORD_VALUE,
    /** The record's place: topic, broker, queue and offset. */
    QUEUE;

    /** @param word as in a configuration; Kafka Connect's word for the place is known too */
    public static KeyMode of(String word) {
        String name = word.trim().toUpperCase(Locale.ROOT);
        return name.equals("KAFKA") ? QUEUE : valueOf(name);
    }
}
