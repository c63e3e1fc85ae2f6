package io.sluice.core.rocketmq;

/** The brokers do not have the topic that was asked for. */
public class MissingTopicException extends RocketMqException {

    private static final long serialVersionUID = 1L;

    public MissingTopicException(String message, Throwable cause) {
        super(message, true, cause);
    }
}
