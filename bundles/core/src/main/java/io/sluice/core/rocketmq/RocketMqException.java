package io.sluice.core.rocketmq;

/** RocketMQ did not do what was asked. The message names the address or topic and the reason. */
public class RocketMqException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean retriable;

    /** @param retriable true if the same request may succeed later without anybody changing it */
    public RocketMqException(String message, boolean retriable, Throwable cause) {
        super(message, cause);
        this.retriable = retriable;
    }

    public boolean isRetriable() {
        return retriable;
    }
}
