package io.sluice.libs.rocketmq.logging;

import org.apache.rocketmq.logging.org.slf4j.Marker;
import org.apache.rocketmq.logging.org.slf4j.event.Level;
import org.apache.rocketmq.logging.org.slf4j.helpers.LegacyAbstractLogger;
import org.apache.rocketmq.logging.org.slf4j.helpers.MessageFormatter;
import org.slf4j.Logger;

/** One logger of RocketMQ's, writing to the container's logger of the same name. */
final class ContainerLogger extends LegacyAbstractLogger {

    private static final long serialVersionUID = 1L;

    private final transient Logger target;

    ContainerLogger(Logger target) {
        this.target = target;
        this.name = target.getName();
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(Level level, Marker marker, String pattern, Object[] arguments, Throwable cause) {
        String message = MessageFormatter.basicArrayFormat(pattern, arguments);
        switch (level) {
            case TRACE -> target.trace(message, cause);
            case DEBUG -> target.debug(message, cause);
            case INFO -> target.info(message, cause);
            case WARN -> target.warn(message, cause);
            default -> target.error(message, cause);
        }
    }

    @Override
    public boolean isTraceEnabled() {
        return target.isTraceEnabled();
    }

    @Override
    public boolean isDebugEnabled() {
        return target.isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
        return target.isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled() {
        return target.isWarnEnabled();
    }

    @Override
    public boolean isErrorEnabled() {
        return target.isErrorEnabled();
    }
}
