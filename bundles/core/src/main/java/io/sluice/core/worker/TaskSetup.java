package io.sluice.core.worker;

import io.openmessaging.connector.api.component.task.Task;
import io.sluice.core.definition.ConnectorConfig;
import io.sluice.spi.PluginFactory;
import java.util.Map;

/**
 * Everything that a task is started with.
 *
 * @param connector the connector's name
 * @param id the task's number
 * @param taskCount how many tasks the connector has
 * @param config the connector's configuration, references resolved
 * @param taskConfig the task's own configuration, references resolved
 * @param plugins by role
 * @param task the task, not initialised yet
 */
record TaskSetup(String connector, int id, int taskCount, ConnectorConfig config, Map<String, String> taskConfig,
                 Map<String, PluginFactory> plugins, Task<?> task) {

    /** The name of the task in logs, thread names and towards RocketMQ. */
    String name() {
        return connector + "-" + id;
    }

    ClassLoader loader() {
        return plugins.get(ConnectorConfig.CONNECTOR).classLoader();
    }
}
