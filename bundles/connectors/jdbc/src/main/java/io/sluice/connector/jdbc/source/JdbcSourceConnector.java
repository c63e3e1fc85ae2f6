package io.sluice.connector.jdbc.source;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.Task;
import io.openmessaging.connector.api.component.task.source.SourceConnector;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.jdbc.db.Connections;
import io.sluice.connector.jdbc.db.SqlErrors;
import io.sluice.connector.jdbc.db.TableName;
import io.sluice.connector.jdbc.source.read.Session;
import io.sluice.connector.jdbc.source.tables.TableMonitor;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.Config;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies tables into topics; spreads the tables over its tasks, and does so anew when tables come or go. */
@ConnectPlugin(name = "jdbc-source", kind = PluginKind.SOURCE, description = "Copies database tables, or the rows of a query, into topics",
    configuration = SourceConfig.class)
public class JdbcSourceConnector extends SourceConnector {

    /** Task key: the tables of the task, one a line; none for a query. */
    static final String TABLES = "task.tables";

    private static final Logger LOG = LoggerFactory.getLogger(JdbcSourceConnector.class);

    private Map<String, String> config;
    private SourceSettings settings;
    private Connections connections;
    private TableMonitor monitor;
    /** The tables that the tasks were last given; empty if they could not be found out. */
    private volatile Optional<List<TableName>> tables = Optional.empty();

    @Override
    public void validate(KeyValue values) {
        Map<String, String> given = Config.toMap(values);
        SourceSettings settings = SourceSettings.of(given);
        String topic = given.get("connect.topicname");
        if (settings.topicPrefix().isEmpty() && (topic == null || topic.isBlank())) {
            throw new ConnectException("rows have no topic to go to; set 'topic.prefix' (a topic for each table) or 'connect.topicname' (one for all)");
        }
    }

    @Override
    public void start(KeyValue values) {
        config = Config.toMap(values);
        settings = SourceSettings.of(config);
        String name = config.getOrDefault("name", "jdbc-source");
        connections = new Connections(settings.connection(), "connector " + name);
        if (settings.query().isEmpty() && connectorContext != null) {
            monitor = new TableMonitor(name, settings.tablePollInterval(), () -> !Optional.of(find()).equals(tables), connectorContext::requestTaskReconfiguration);
        }
    }

    @Override
    public List<KeyValue> taskConfigs(int maxTasks) {
        if (settings.query().isPresent()) {
            return List.of(task(List.of()));
        }
        List<TableName> found = tables();
        int tasks = Math.max(1, Math.min(maxTasks, found.size()));
        List<KeyValue> configs = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            List<TableName> share = new ArrayList<>();
            for (int t = i; t < found.size(); t += tasks) {
                share.add(found.get(t));
            }
            configs.add(task(share));
        }
        return configs;
    }

    /** While the database cannot be reached: those known before, or none; a task without tables shows the trouble, and the monitor finds the tables later. */
    private List<TableName> tables() {
        try {
            List<TableName> found = find();
            if (!Optional.of(found).equals(tables)) {
                LOG.info("connector '{}': tables to copy: {}", config.get("name"), TableMonitor.shown(found));
            }
            tables = Optional.of(found);
            return found;
        } catch (SQLException e) {
            if (!SqlErrors.isRetriable(e) || monitor == null) {
                throw new ConnectException("cannot list the tables: " + SqlErrors.text(e), e);
            }
            LOG.warn("connector '{}': cannot list the tables: {}", config.get("name"), SqlErrors.text(e));
            return tables.orElse(List.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted while listing the tables", e);
        }
    }

    private List<TableName> find() throws SQLException, InterruptedException {
        try (Session session = new Session(connections.open(), "connector " + config.get("name"), settings.quoted())) {
            return settings.tables().find(session.connection(), session.database());
        }
    }

    private KeyValue task(List<TableName> share) {
        KeyValue task = new DefaultKeyValue();
        config.forEach(task::put);
        task.put(TABLES, String.join("\n", share.stream().map(TableName::toString).toList()));
        return task;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends Task> taskClass() {
        return JdbcSourceTask.class;
    }

    @Override
    public void stop() {
        if (connections != null) {
            connections.close();
        }
        if (monitor != null) {
            monitor.close();
        }
    }
}
