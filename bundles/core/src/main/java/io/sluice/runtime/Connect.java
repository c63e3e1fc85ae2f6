package io.sluice.runtime;

import io.sluice.spi.config.ConfigDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The front door of the runtime, an OSGi service. REST, shell and console use nothing else.
 *
 * <p>All methods may be called from any thread. Reads are answered from memory. Changes return when they are durable in the store, or
 * throw a {@link SluiceException} whose {@link ErrorCode} says what kind of failure it was; then nothing has been changed. Every wait
 * is bounded: a change that the store does not confirm ends in {@link ErrorCode#TIMEOUT}.
 *
 * <p>The parameter {@code author} says who changed something and through which face, such as {@code admin@rest}.
 */
@ProviderType
public interface Connect {

    /** This worker. */
    WorkerInfo worker();

    /** All connectors, by name. */
    List<ConnectorInfo> connectors();

    /** One connector. @throws SluiceException UNKNOWN_CONNECTOR */
    ConnectorInfo connector(String name);

    /**
     * Creates a connector.
     *
     * @param name its name: letters, digits, {@code . _ -} and blanks inside, at most 100 characters
     * @param config keys and values as text; references to secrets are kept as they are
     * @param state the state it shall have
     * @throws SluiceException CONNECTOR_EXISTS, INVALID_CONFIGURATION, STORE_UNAVAILABLE
     */
    ConnectorInfo create(String name, Map<String, String> config, TargetState state, String author);

    /**
     * Replaces a connector's configuration, or creates the connector.
     *
     * @return the connector and whether it is new
     * @throws SluiceException INVALID_CONFIGURATION, STORE_UNAVAILABLE
     */
    PutResult put(String name, Map<String, String> config, String author);

    /** What {@link #put} did. */
    record PutResult(ConnectorInfo connector, boolean created) { }

    /** Stops a connector and forgets it. Its committed offsets are forgotten too. @throws SluiceException UNKNOWN_CONNECTOR */
    void delete(String name, String author);

    /** Sets what a connector shall do from now on, across restarts. @throws SluiceException UNKNOWN_CONNECTOR */
    void setState(String name, TargetState state, String author);

    /** Why a connector and its tasks are in the state they are in. @throws SluiceException UNKNOWN_CONNECTOR */
    ConnectorStatus status(String name);

    /** The tasks of a connector with the configuration each was given. Values of secret keys are masked. */
    List<TaskInfo> tasks(String name);

    /**
     * Starts parts of a connector anew.
     *
     * @param includeTasks true: its tasks too; false: the connector object alone
     * @param onlyFailed only what is FAILED
     * @return the status right after the restart was begun
     */
    ConnectorStatus restart(String name, boolean includeTasks, boolean onlyFailed);

    /** Starts one task anew. @throws SluiceException UNKNOWN_CONNECTOR, UNKNOWN_TASK */
    void restartTask(String name, int task);

    /** Every plugin of this worker, in every version. */
    List<PluginInfo> plugins();

    /** What keeps plugins of this worker from being used, or from being used as their authors meant: one line each, with the bundle and the remedy. */
    List<String> pluginProblems();

    /**
     * The configuration keys of a plugin; for a connector, with the keys that the runtime adds to every connector of its kind.
     *
     * @param plugin a class name, simple class name or alias
     * @throws SluiceException UNKNOWN_PLUGIN
     */
    ConfigDefinition configuration(String plugin);

    /**
     * Checks a configuration as {@link #put} would, without keeping it.
     *
     * @param plugin the class name, simple class name or alias of a connector plugin
     * @throws SluiceException UNKNOWN_PLUGIN
     */
    ConfigReport validate(String plugin, Map<String, String> config);

    /** Committed source offsets, or committed queue offsets of a sink. */
    List<OffsetInfo> offsets(String name);

    /** The latest events, newest last. */
    List<Event> events(Optional<String> connector);
}
