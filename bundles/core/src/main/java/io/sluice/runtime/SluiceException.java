package io.sluice.runtime;

import java.util.Objects;

/** A request that was not carried out. The message is for people: what, where, why, remedy. */
public class SluiceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public SluiceException(ErrorCode code, String message) {
        this(code, message, null);
    }

    public SluiceException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code, "code");
    }

    public ErrorCode code() {
        return code;
    }
}
