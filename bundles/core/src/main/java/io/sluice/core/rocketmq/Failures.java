package io.sluice.core.rocketmq;

import java.util.Set;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;

/** Turns what RocketMQ's client throws into a {@link RocketMqException} that says whether it may pass. */
final class Failures {

    /** What is wrong with the request itself: the same request can never succeed. */
    private static final Set<Integer> FINAL_CODES = Set.of(ResponseCode.MESSAGE_ILLEGAL, ResponseCode.NO_PERMISSION);

    private Failures() {
    }

    static RocketMqException of(String what, Throwable failure) {
        if (failure instanceof RocketMqException own) {
            return own;
        }
        int code = codeOf(failure);
        return new RocketMqException("cannot " + what + ": " + reason(failure), !FINAL_CODES.contains(code), failure);
    }

    /** True if the failure says that the topic is not there. */
    static boolean isMissingTopic(Throwable failure) {
        int code = codeOf(failure);
        return code == ResponseCode.TOPIC_NOT_EXIST || code == org.apache.rocketmq.client.common.ClientErrorCode.NOT_FOUND_TOPIC_EXCEPTION;
    }

    static int codeOf(Throwable failure) {
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
        String message = failure instanceof MQBrokerException broker ? broker.getErrorMessage()
            : failure instanceof MQClientException client && client.getErrorMessage() != null ? client.getErrorMessage() : failure.getMessage();
        String text = message == null ? failure.getClass().getSimpleName() : message;
        int end = text.indexOf('\n');
        return (end < 0 ? text : text.substring(0, end)).trim();
    }
}
