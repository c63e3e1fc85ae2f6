package io.sluice.libs.rocketmq.logging;

import org.apache.rocketmq.logging.org.slf4j.LoggerFactory;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/**
 * Binds the client's logging to the container's before any class of the client is used: the client looks for a binding once, through the
 * thread's context class loader.
 */
public final class LoggingActivator implements BundleActivator {

    @Override
    public void start(BundleContext context) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(LoggingActivator.class.getClassLoader());
        try {
            LoggerFactory.getILoggerFactory();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void stop(BundleContext context) {
        // The binding goes with the bundle's class loader.
    }
}
