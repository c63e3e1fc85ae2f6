package io.sluice.spi;

import io.openmessaging.connector.api.component.connector.Connector;
import io.openmessaging.connector.api.component.task.Task;
import io.sluice.spi.config.ConfigDefinition;
import io.sluice.spi.config.ConfigProblem;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * One plugin, as a service: the only way in which a worker gets an instance.
 *
 * <p>The service carries the properties {@link #PLUGIN_CLASS}, {@link #PLUGIN_KIND}, {@link #PLUGIN_NAME}, {@link #PLUGIN_VERSION} and
 * {@link #PLUGIN_BUNDLE}; a configuration is matched against these, never against the object. Methods may be called from any
 * thread. The caller sets {@link #classLoader()} as the thread's context class loader around every call into the plugin, the calls
 * of this interface that reach plugin code included.
 */
@ConsumerType
public interface PluginFactory {

    /** Service property, String: the fully qualified name of the plugin's class. */
    String PLUGIN_CLASS = "plugin.class";
    /** Service property, String: {@link PluginKind#word()}. */
    String PLUGIN_KIND = "plugin.kind";
    /** Service property, String: the short alias. */
    String PLUGIN_NAME = "plugin.name";
    /** Service property, {@code org.osgi.framework.Version}: the version of the bundle that carries the plugin. */
    String PLUGIN_VERSION = "plugin.version";
    /** Service property, String: the symbolic name of that bundle. */
    String PLUGIN_BUNDLE = "plugin.bundle";
    /** Service property, Long: the framework's id of that bundle. */
    String PLUGIN_BUNDLE_ID = "plugin.bundle.id";
    /** Service property, String: one sentence about the plugin; may be absent. */
    String PLUGIN_DESCRIPTION = "plugin.description";

    /**
     * A new instance of the plugin's class, not yet initialised.
     *
     * @throws PluginException if the class cannot be loaded or its constructor throws; the cause is kept
     */
    Object create();

    /**
     * A new instance of a task of {@code connector}, which this factory has created.
     *
     * @param connector the started connector
     * @param taskClass what the connector answered to {@code taskClass()}
     * @throws PluginException if the class has no accessible constructor or the constructor throws
     */
    default Task<?> createTask(Connector<?> connector, Class<? extends Task> taskClass) {
        try {
            return taskClass.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            throw PluginException.instantiating(taskClass.getName(), e);
        }
    }

    /** The loader that sees the plugin's classes and resources. */
    ClassLoader classLoader();

    /** The configuration keys of the plugin; {@link ConfigDefinition#NONE} when it states none. */
    ConfigDefinition configuration();

    /**
     * Checks a configuration without side effects that outlast the call.
     *
     * @param config the plugin's own keys and values, references to secrets not resolved
     * @return what is wrong, empty if nothing is
     */
    default List<ConfigProblem> validate(Map<String, String> config) {
        return configuration().validate(config);
    }
}
