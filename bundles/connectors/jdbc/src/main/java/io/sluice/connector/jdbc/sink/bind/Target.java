package io.sluice.connector.jdbc.sink.bind;

/** What a column takes, whatever its type is called. */
public enum Target {
    WHOLE("whole numbers"),
    DECIMAL("decimals"),
    FLOAT("32-bit floating-point numbers"),
    DOUBLE("floating-point numbers"),
    BOOLEAN("booleans"),
    BITS("bits"),
    TEXT("text"),
    BINARY("bytes"),
    DATE("dates"),
    TIME("times of day"),
    TIME_ZONED("times of day with an offset"),
    TIMESTAMP("timestamps"),
    TIMESTAMP_ZONED("timestamps with a time zone"),
    UUID("UUIDs"),
    ARRAY("arrays"),
    /** A type of the database's own that is written as text. */
    OTHER("a type of the database's own");

    private final String what;

    Target(String what) {
        this.what = what;
    }

    /** For sentences: a column for ... */
    public String what() {
        return what;
    }
}
