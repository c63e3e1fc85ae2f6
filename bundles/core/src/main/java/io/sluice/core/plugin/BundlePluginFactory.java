package io.sluice.core.plugin;

import io.openmessaging.connector.api.component.connector.Connector;
import io.openmessaging.connector.api.component.task.Task;
import io.sluice.spi.PluginException;
import io.sluice.spi.PluginFactory;
import io.sluice.spi.config.ConfigDefinition;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/** Makes instances of one plugin that a bundle has announced. Loads nothing before it is asked to. */
final class BundlePluginFactory implements PluginFactory {

    private final Bundle bundle;
    private final String className;
    private final String configurationType;
    private final ClassLoader loader;
    private volatile ConfigDefinition definition;

    /** @param configurationType the annotation type that defines the keys; empty for none */
    BundlePluginFactory(Bundle bundle, String className, String configurationType) {
        this.bundle = bundle;
        this.className = className;
        this.configurationType = configurationType;
        this.loader = bundle.adapt(BundleWiring.class).getClassLoader();
    }

    @Override
    public Object create() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return loader.loadClass(className).getConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            throw named(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Task<?> createTask(Connector<?> connector, Class<? extends Task> taskClass) {
        try {
            return taskClass.getConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            throw named(e);
        }
    }

    private PluginException named(Throwable failure) {
        PluginException exception = PluginException.instantiating(className, failure);
        return new PluginException(exception.getMessage() + " (bundle " + bundle.getSymbolicName() + " " + bundle.getVersion() + ", id "
            + bundle.getBundleId() + ")", exception.getCause());
    }

    @Override
    public ClassLoader classLoader() {
        return loader;
    }

    @Override
    public ConfigDefinition configuration() {
        ConfigDefinition known = definition;
        if (known == null) {
            known = configurationType.isEmpty() ? ConfigDefinition.NONE
                : MetatypeDefinitions.of(configurationType, bundle.getEntry(MetatypeDefinitions.path(configurationType)));
            definition = known;
        }
        return known;
    }
}
