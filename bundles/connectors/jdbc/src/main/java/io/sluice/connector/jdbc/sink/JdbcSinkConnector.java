package io.sluice.connector.jdbc.sink;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.Task;
import io.openmessaging.connector.api.component.task.sink.SinkConnector;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.jdbc.db.Vendor;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.Config;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes records as rows of database tables. */
@ConnectPlugin(name = "jdbc-sink", kind = PluginKind.SINK, configuration = JdbcSinkConfig.class,
    description = "Writes each record as a row of a database table: insert, upsert, update, delete")
public final class JdbcSinkConnector extends SinkConnector {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcSinkConnector.class);

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
        int tasks = Math.max(1, maxTasks);
        JdbcSinkConfig given = Config.of(config, JdbcSinkConfig.class);
        if (tasks > 1 && given.auto_evolve() && Vendor.ofUrl(given.connection_url()) == Vendor.H2) {
            LOG.info("one task instead of {}: H2 loses rows that one connection writes while another one adds a column, so auto.evolve=true has one writer", tasks);
            tasks = 1;
        }
        List<KeyValue> configs = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
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
