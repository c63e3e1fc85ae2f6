package io.sluice.core.plugin;

import io.openmessaging.connector.api.component.Transform;
import io.openmessaging.connector.api.component.connector.Connector;
import io.openmessaging.connector.api.component.task.Task;
import io.openmessaging.connector.api.component.task.sink.SinkConnector;
import io.openmessaging.connector.api.component.task.source.SourceConnector;
import io.openmessaging.connector.api.data.RecordConverter;
import io.sluice.spi.PluginException;
import io.sluice.spi.PluginFactory;
import io.sluice.spi.PluginKind;
import io.sluice.spi.Predicate;
import io.sluice.spi.config.ConfigDefinition;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/** Makes instances of one plugin that a bundle has announced. Loads nothing before it is asked to. */
final class BundlePluginFactory implements PluginFactory {

    private final Bundle bundle;
    private final BundleWiring wiring;
    private final ClassLoader loader;
    private final Announcement announcement;
    private final Consumer<String> problems;
    private volatile ConfigDefinition definition;

    /** @param problems told what is wrong with the plugin's configuration keys, when somebody looks at them */
    BundlePluginFactory(Bundle bundle, BundleWiring wiring, Announcement announcement, Consumer<String> problems) {
        this.bundle = bundle;
        this.wiring = wiring;
        this.loader = wiring.getClassLoader();
        this.announcement = announcement;
        this.problems = problems;
    }

    @Override
    public Object create() {
        return inPlugin(announcement.className(), () -> {
            Object plugin = loader.loadClass(announcement.className()).getConstructor().newInstance();
            Class<?> type = type(announcement.kind());
            if (!type.isInstance(plugin)) {
                throw new ClassCastException("it is announced as a " + announcement.kind().word() + " but is not a " + type.getName()
                    + ", or sees another copy of that class");
            }
            return plugin;
        });
    }

    private static Class<?> type(PluginKind kind) {
        return switch (kind) {
            case SOURCE -> SourceConnector.class;
            case SINK -> SinkConnector.class;
            case TRANSFORM -> Transform.class;
            case PREDICATE -> Predicate.class;
            case CONVERTER -> RecordConverter.class;
        };
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Task<?> createTask(Connector<?> connector, Class<? extends Task> taskClass) {
        if (taskClass == null) {
            throw new PluginException("cannot create a task: " + announcement.className() + " does not say what its task class is" + suffix(), null);
        }
        return inPlugin(taskClass.getName(), () -> taskClass.getConstructor().newInstance());
    }

    private <T> T inPlugin(String className, Callable<T> action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return action.call();
        } catch (Throwable e) {
            // Whatever the plugin throws, a StackOverflowError included, is the plugin's failure and nobody else's.
            PluginException exception = PluginException.instantiating(className, e);
            throw new PluginException(exception.getMessage() + suffix(), exception.getCause());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private String suffix() {
        return " (bundle " + bundle.getSymbolicName() + " " + bundle.getVersion() + ", id " + bundle.getBundleId() + ")";
    }

    @Override
    public ClassLoader classLoader() {
        return loader;
    }

    @Override
    public ConfigDefinition configuration() {
        ConfigDefinition known = definition;
        if (known == null) {
            known = announcement.configurationType().map(this::read).orElse(ConfigDefinition.NONE);
            definition = known;
        }
        return known;
    }

    private ConfigDefinition read(String type) {
        try {
            return MetatypeDefinitions.of(wiring, type);
        } catch (IllegalArgumentException e) {
            problems.accept("the configuration keys of plugin " + announcement.className() + " are not known and so not checked: " + e.getMessage());
            return ConfigDefinition.NONE;
        }
    }

    @Override
    public String toString() {
        return announcement.className() + suffix();
    }
}
