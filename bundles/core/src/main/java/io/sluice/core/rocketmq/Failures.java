package io.sluice.core.rocketmq;

import org.apache.rocketmq.client.common.ClientErrorCode;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingSendRequestException;
import org.apache.rocketmq.remoting.exception.RemotingTimeoutException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;

/** Turns what RocketMQ's client throws and its brokers answer into a {@link RocketMqException} that says whether it may pass. */
final class Failures {

    /** What follows from a failure. */
    enum Verdict {
        /** The broker is there and refuses for now. */
        BUSY,
        /** Something is away, or not where it was. */
        AWAY,
        /** The topic is not there. */
        TOPIC_MISSING,
        /** The request is larger than the broker allows. */
        TOO_MUCH_AT_ONCE,
        /** Something is wrong with one message. */
        NEVER_THIS_MESSAGE,
        /** The same request can never succeed, whatever it carries. */
        NEVER
    }

    private static final String TOO_LARGE = "size exceeded";
    private static final String QUEUE_UNKNOWN = "queueId";

    private Failures() {
    }

    static RocketMqException of(String what, Throwable failure) {
        if (failure instanceof RocketMqException own) {
            return own;
        }
        Verdict verdict = verdict(failure);
        return new RocketMqException("cannot " + what + ": " + reason(failure), verdict != Verdict.NEVER && verdict != Verdict.NEVER_THIS_MESSAGE,
            failure);
    }

    static Verdict verdict(Throwable failure) {
        String text = failure.getMessage() == null ? "" : failure.getMessage();
        return switch (codeOf(failure)) {
            case ResponseCode.MESSAGE_ILLEGAL -> Verdict.NEVER_THIS_MESSAGE;
            case ResponseCode.NO_PERMISSION -> Verdict.NEVER;
            // Also said of a queue that is no longer there.
            case ResponseCode.INVALID_PARAMETER -> text.contains(QUEUE_UNKNOWN) ? Verdict.AWAY : Verdict.NEVER;
            case ResponseCode.TOPIC_NOT_EXIST, ClientErrorCode.NOT_FOUND_TOPIC_EXCEPTION -> Verdict.TOPIC_MISSING;
            // RocketMQ answers so to a batch above its limit.
            case ResponseCode.SYSTEM_ERROR -> text.contains(TOO_LARGE) ? Verdict.TOO_MUCH_AT_ONCE : Verdict.BUSY;
            case ResponseCode.SYSTEM_BUSY -> Verdict.BUSY;
            default -> Verdict.AWAY;
        };
    }

    /** True if the failure says that the topic is not there. */
    static boolean isMissingTopic(Throwable failure) {
        return failure != null && verdict(failure) == Verdict.TOPIC_MISSING;
    }

    private static int codeOf(Throwable failure) {
        if (failure instanceof MQBrokerException broker) {
            return broker.getResponseCode();
        }
        if (failure instanceof MQClientException client) {
            return client.getResponseCode();
        }
        return -1;
    }

    /** The reason in one line, without the client's advice and web addresses. */
    private static String reason(Throwable failure) {
        if (failure instanceof RemotingConnectException) {
            return failure.getMessage().replaceAll("connect to (<?[^>\\s]*>?) failed.*", "$1 does not take connections");
        }
        if (failure instanceof RemotingTimeoutException) {
            return "no answer in time";
        }
        if (failure instanceof RemotingSendRequestException) {
            return "the connection was lost";
        }
        String message = failure instanceof MQBrokerException broker ? broker.getErrorMessage()
            : failure instanceof MQClientException client && client.getErrorMessage() != null ? client.getErrorMessage() : failure.getMessage();
        String text = message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
        return text.lines().findFirst().orElse(text).trim();
    }
}
