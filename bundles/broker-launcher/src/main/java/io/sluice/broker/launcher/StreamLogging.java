package io.sluice.broker.launcher;

import java.util.Set;
import org.apache.rocketmq.logging.org.slf4j.ILoggerFactory;
import org.apache.rocketmq.logging.org.slf4j.IMarkerFactory;
import org.apache.rocketmq.logging.org.slf4j.Marker;
import org.apache.rocketmq.logging.org.slf4j.event.Level;
import org.apache.rocketmq.logging.org.slf4j.helpers.BasicMarkerFactory;
import org.apache.rocketmq.logging.org.slf4j.helpers.LegacyAbstractLogger;
import org.apache.rocketmq.logging.org.slf4j.helpers.MessageFormatter;
import org.apache.rocketmq.logging.org.slf4j.helpers.NOPMDCAdapter;
import org.apache.rocketmq.logging.org.slf4j.spi.MDCAdapter;
import org.apache.rocketmq.logging.org.slf4j.spi.SLF4JServiceProvider;

/** Writes RocketMQ's warnings and errors to the standard output, where the worker reads them; there are no log files of the broker's own. */
public final class StreamLogging implements SLF4JServiceProvider {

    /** While RocketMQ is stopped, threads of it are interrupted on purpose. */
    private static volatile boolean stopping;

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    /** From now on interrupted waits are no news. */
    static void stopping() {
        stopping = true;
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return StreamLogger::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0";
    }

    @Override
    public void initialize() {
        // Nothing to prepare.
    }

    private static final class StreamLogger extends LegacyAbstractLogger {

        private static final long serialVersionUID = 1L;
        /** These warn of what is quite normal here: no transactions under way, no plug-ins on the class path. */
        private static final Set<String> ERRORS_ONLY = Set.of("RocketmqTransaction", "RocketmqCommon");

        /** Begins what is logged as an error although it is the answer to a question: whether there is a topic. */
        private static final String NO_TOPIC = "No topic in this broker";

        private final boolean warn;

        StreamLogger(String name) {
            this.name = name;
            this.warn = !ERRORS_ONLY.contains(name);
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(Level level, Marker marker, String pattern, Object[] arguments, Throwable cause) {
            if (pattern != null && pattern.startsWith(NO_TOPIC) || stopping && cause instanceof InterruptedException) {
                return;
            }
            String text = MessageFormatter.basicArrayFormat(pattern, arguments) + (cause == null ? "" : ": " + cause);
            System.out.println("LOG " + level + " " + name + " " + text.replace('\n', ' ').replace('\r', ' '));
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return false;
        }

        @Override
        public boolean isWarnEnabled() {
            return warn;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}
