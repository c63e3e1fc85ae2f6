package io.sluice.security;

import org.osgi.annotation.bundle.Header;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.hooks.weaving.WeavingHook;

/** Registers the {@link SubjectWeaver} where it is needed, before Karaf's own bundles start. */
@Header(name = Constants.BUNDLE_ACTIVATOR, value = "${@class}")
public final class Activator implements BundleActivator {

    private static final int FIRST_WITHOUT = 24;

    @Override
    public void start(BundleContext context) {
        if (Runtime.version().feature() >= FIRST_WITHOUT) {
            context.registerService(WeavingHook.class, new SubjectWeaver(), null);
        }
    }

    @Override
    public void stop(BundleContext context) {
        // The framework takes the service back.
    }
}
