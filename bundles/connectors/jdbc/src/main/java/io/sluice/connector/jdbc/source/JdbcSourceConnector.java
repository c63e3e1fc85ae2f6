package io.sluice.connector.jdbc.source;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.Task;
import io.openmessaging.connector.api.component.task.source.SourceConnector;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.jdbc.db.Connections;
import io.sluice.connector.jdbc.db.TableNames;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.Config;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Copies tables into topics; spreads the tables over its tasks. */
@ConnectPlugin(name = "jdbc-source", kind = PluginKind.SOURCE, description = "Copies database tables, or the rows of a query, into topics",
    configuration = SourceConfig.class)
public class JdbcSourceConnector extends SourceConnector {

    /** Task key: the tables of the task, one a line. */
    static final String TABLES = "task.tables";

    private Map<String, String> config;

    @Override
    public void validate(KeyValue values) {
        SourceConfig given = Config.of(values, SourceConfig.class);
        boolean query = !given.query().isBlank();
        if (query && given.table_whitelist().length > 0) {
            throw new ConnectException("'query' and 'table.whitelist' exclude each other; leave out one of them");
        }
        String mode = given.mode().trim();
        if (mode.contains("incrementing") && given.incrementing_column_name().isBlank()) {
            throw new ConnectException("'mode' is '" + mode + "', which needs 'incrementing.column.name': the column that only grows");
        }
        if (mode.contains("timestamp") && given.timestamp_column_name().isBlank()) {
            throw new ConnectException("'mode' is '" + mode + "', which needs 'timestamp.column.name': the column that holds the last change");
        }
        if (given.topic_prefix().isBlank() && (values.getString("connect.topicname") == null || values.getString("connect.topicname").isBlank())) {
            throw new ConnectException("rows have no topic to go to; set 'topic.prefix' (a topic for each table) or 'connect.topicname' (one for all)");
        }
    }

    @Override
    public void start(KeyValue values) {
        config = Config.toMap(values);
    }

    @Override
    public List<KeyValue> taskConfigs(int maxTasks) {
        SourceConfig given = Config.of(config, SourceConfig.class);
        if (!given.query().isBlank()) {
            return List.of(task(List.of()));
        }
        List<String> tables = tables(given);
        int tasks = Math.max(1, Math.min(maxTasks, tables.size()));
        List<KeyValue> configs = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            List<String> share = new ArrayList<>();
            for (int t = i; t < tables.size(); t += tasks) {
                share.add(tables.get(t));
            }
            configs.add(task(share));
        }
        return configs;
    }

    private List<String> tables(SourceConfig given) {
        if (given.table_whitelist().length > 0) {
            return List.of(given.table_whitelist());
        }
        try (Connection connection = Connections.open(config)) {
            List<String> tables = new ArrayList<>(TableNames.all(connection));
            tables.removeAll(List.of(given.table_blacklist()));
            return tables;
        } catch (SQLException e) {
            throw Connections.isRetriable(e) ? new RetriableException("cannot list the tables: " + Connections.text(e), e)
                : new ConnectException("cannot list the tables: " + Connections.text(e), e);
        }
    }

    private KeyValue task(List<String> tables) {
        KeyValue task = new DefaultKeyValue();
        config.forEach(task::put);
        task.put(TABLES, String.join("\n", tables));
        return task;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends Task> taskClass() {
        return JdbcSourceTask.class;
    }

    @Override
    public void stop() {
        // Holds nothing open.
    }
}
