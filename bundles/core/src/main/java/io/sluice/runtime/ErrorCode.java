package io.sluice.runtime;

/** The kinds of failure, and what each face makes of them. The only place where this is mapped. */
public enum ErrorCode {
    UNKNOWN_CONNECTOR(404, 3),
    UNKNOWN_TASK(404, 3),
    UNKNOWN_PLUGIN(404, 3),
    CONNECTOR_EXISTS(409, 4),
    /** The request cannot be met in the connector's present state. */
    WRONG_STATE(400, 5),
    INVALID_CONFIGURATION(400, 6),
    /** The request itself is malformed. */
    BAD_REQUEST(400, 2),
    /** Somebody else was faster, or a change is just being carried out; try again. */
    CONFLICT(409, 4),
    /** The store cannot confirm anything now, so nothing is changed. */
    STORE_UNAVAILABLE(503, 7),
    TIMEOUT(500, 8),
    INTERNAL(500, 1);

    private final int httpStatus;
    private final int exitCode;

    ErrorCode(int httpStatus, int exitCode) {
        this.httpStatus = httpStatus;
        this.exitCode = exitCode;
    }

    public int httpStatus() {
        return httpStatus;
    }

    /** The exit code of a shell command that ends with this failure; never 0. */
    public int exitCode() {
        return exitCode;
    }
}
