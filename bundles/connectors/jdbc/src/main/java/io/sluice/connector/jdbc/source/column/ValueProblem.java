package io.sluice.connector.jdbc.source.column;

/** A value, or a whole column, that has no counterpart in a record. The message says what it is and what to do; where it was is added outside. */
public final class ValueProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ValueProblem(String message) {
        super(message);
    }

    ValueProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
