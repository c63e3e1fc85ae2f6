package io.sluice.connector.jdbc.sink;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.Task;
import io.openmessaging.connector.api.component.task.sink.SinkConnector;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.Config;
import java.util.ArrayList;
import java.util.List;

/** Writes records as rows of database tables. */
@ConnectPlugin(name = "jdbc-sink", kind = PluginKind.SINK, configuration = JdbcSinkConfig.class,
    description = "Writes each record as a row of a database table: insert, upsert, update, delete")
public final class JdbcSinkConnector extends SinkConnector {

    private KeyValue config;

    /** Looks at nothing but the configuration itself. @throws ConnectException with all that is wrong */
    @Override
    public void validate(KeyValue config) {
        List<String> problems = ConfigRules.problems(Config.toMap(config));
        if (!problems.isEmpty()) {
            throw new ConnectException(String.join(". ", problems));
        }
    }

    @Override
    public void start(KeyValue config) {
        validate(config);
        this.config = config;
    }

    @Override
    public List<KeyValue> taskConfigs(int maxTasks) {
        List<KeyValue> configs = new ArrayList<>();
        for (int i = 0; i < Math.max(1, maxTasks); i++) {
            KeyValue task = new DefaultKeyValue();
            config.keySet().forEach(key -> task.put(key, config.getString(key)));
            configs.add(task);
        }
        return configs;
    }

    @Override
    public Class<? extends Task> taskClass() {
        return JdbcSinkTask.class;
    }

    @Override
    public void stop() {
        config = null;
    }
}
