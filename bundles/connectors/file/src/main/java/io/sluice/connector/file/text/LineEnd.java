package io.sluice.connector.file.text;

import java.util.Locale;

/** What ends a line. */
public enum LineEnd {
    /** A line feed; a carriage return right before it belongs to the line end. */
    AUTO,
    /** A line feed alone; a carriage return before it is text. */
    LF,
    /** A carriage return followed by a line feed; either of them alone is text. */
    CRLF,
    /** A carriage return. */
    CR,
    /** A line feed, a carriage return, or both in this order. */
    ANY;

    /** The constant that {@code word} names, in any case. */
    public static LineEnd of(String word) {
        return valueOf(word.trim().toUpperCase(Locale.ROOT));
    }

    /** The characters that a writer puts at the end of a line. */
    public String characters() {
        return switch (this) {
            case CRLF -> "\r\n";
            case CR -> "\r";
            default -> "\n";
        };
    }
}
