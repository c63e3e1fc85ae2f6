package io.sluice.connector.jdbc.sink.bind;

/** A value cannot be what its column needs. The message is a whole sentence part, without the column's name. */
public final class DataProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DataProblem(String message) {
        super(message);
    }

    public DataProblem(String message, Throwable cause) {
        super(message, cause);
    }

    /** The problem of a value that has no exact form in a column. */
    static DataProblem unfit(Object value, Target target) {
        return new DataProblem(Plain.describe(value) + " cannot go into a column for " + target.what());
    }
}
