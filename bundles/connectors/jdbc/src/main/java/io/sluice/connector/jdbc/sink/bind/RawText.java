package io.sluice.connector.jdbc.sink.bind;

/** Text that only the database can tell the meaning of, such as {@code infinity} for a timestamp. */
public record RawText(String text) {
}
