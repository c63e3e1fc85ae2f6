package io.sluice.connector.jdbc.sink;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.Task;
import io.openmessaging.connector.api.component.task.sink.SinkConnector;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.Config;
import java.util.Collections;
import java.util.List;

/** Writes the records of topics into tables. */
@ConnectPlugin(name = "jdbc-sink", kind = PluginKind.SINK, description = "Writes the records of topics into database tables", configuration = SinkConfig.class)
public class JdbcSinkConnector extends SinkConnector {

    private KeyValue config;

    @Override
    public void validate(KeyValue values) {
        SinkConfig given = Config.of(values, SinkConfig.class);
        String mode = given.insert_mode().trim();
        String key = given.pk_mode().trim();
        if (!mode.equalsIgnoreCase("insert") && key.equalsIgnoreCase("none")) {
            throw new ConnectException("'insert.mode' is '" + mode + "', which needs a key; set 'pk.mode' to record_key, record_value or queue");
        }
        if (key.equalsIgnoreCase("record_value") && given.pk_fields().length == 0) {
            throw new ConnectException("'pk.mode' is 'record_value', which needs 'pk.fields': the fields of the value that are the key");
        }
        if (given.delete_enabled() && !key.equalsIgnoreCase("record_key")) {
            throw new ConnectException("'delete.enabled' needs 'pk.mode' = record_key, since a record without a value has nothing but its key");
        }
    }

    @Override
    public void start(KeyValue values) {
        config = values;
    }

    @Override
    public List<KeyValue> taskConfigs(int maxTasks) {
        return Collections.nCopies(maxTasks, config);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends Task> taskClass() {
        return JdbcSinkTask.class;
    }

    @Override
    public void stop() {
        // Holds nothing open.
    }
}
