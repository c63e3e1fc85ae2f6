package io.sluice.connector.jdbc.sink;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.sink.SinkTask;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.connector.jdbc.db.ConnectionSettings;
import io.sluice.connector.jdbc.db.Connections;
import io.sluice.connector.jdbc.db.SqlErrors;
import io.sluice.spi.RecordNames;
import io.sluice.spi.config.Config;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes each put as one transaction. A batch that the database refuses is rolled back and halved, until the bad record is alone: that one is
 * reported, the others are written. What fails because the connection is lost is put again as a whole.
 */
public class JdbcSinkTask extends SinkTask {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcSinkTask.class);

    private Map<String, String> values;
    private SinkConfig config;
    private volatile Connections connections;
    private volatile Connection connection;
    private TableWriter writer;

    @Override
    public void start(KeyValue given) {
        values = Config.toMap(given);
        config = Config.of(values, SinkConfig.class);
        connections = new Connections(ConnectionSettings.of(values), "task " + sinkTaskContext.getTaskName());
    }

    @Override
    public void put(List<ConnectRecord> records) {
        if (records.isEmpty()) {
            return;
        }
        try {
            open();
            for (int from = 0; from < records.size(); from += config.batch_size()) {
                write(records.subList(from, Math.min(records.size(), from + config.batch_size())));
            }
        } catch (SQLException e) {
            closeConnection();
            connection = null;
            if (SqlErrors.isRetriable(e)) {
                throw new RetriableException("cannot write: " + SqlErrors.text(e), e);
            }
            throw new ConnectException("cannot write: " + SqlErrors.text(e), e);
        }
    }

    private void open() throws SQLException {
        if (connection == null) {
            Connection opened = openedNow();
            opened.setAutoCommit(false);
            connection = opened;
            writer = new TableWriter(opened, config);
        }
    }

    private Connection openedNow() throws SQLException {
        try {
            return connections.open();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetriableException("interrupted while connecting", e);
        }
    }

    private void closeConnection() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            LOG.debug("a connection that is given up could not be closed: {}", e.toString());
        }
    }

    private void write(List<ConnectRecord> records) throws SQLException {
        try {
            writeRuns(records);
            connection.commit();
        } catch (SQLException | ConnectException e) {
            if (e instanceof SQLException sql && SqlErrors.isRetriable(sql)) {
                throw sql;
            }
            connection.rollback();
            writer.forget();
            if (records.size() == 1) {
                report(records.get(0), e);
                return;
            }
            int half = records.size() / 2;
            write(records.subList(0, half));
            write(records.subList(half, records.size()));
        }
    }

    /** Writes rows in order, those that follow each other with the same shape together. */
    private void writeRuns(List<ConnectRecord> records) throws SQLException {
        List<Row> run = new ArrayList<>();
        String shape = null;
        String table = null;
        for (ConnectRecord record : records) {
            String itsTable = table(record);
            Row row = Row.of(record, config);
            String itsShape = row.shape(itsTable);
            if (!itsShape.equals(shape) && !run.isEmpty()) {
                writer.write(table, run);
                run = new ArrayList<>();
            }
            shape = itsShape;
            table = itsTable;
            run.add(row);
        }
        writer.write(table, run);
    }

    private String table(ConnectRecord record) {
        String topic = record.getExtension(RecordNames.TOPIC_EXTENSION);
        if (topic == null) {
            topic = String.valueOf(record.getPosition().getPartition().getPartition().get(RecordNames.TOPIC));
        }
        return config.table_name_format().trim().replace("${topic}", topic);
    }

    private void report(ConnectRecord record, Exception failure) {
        String why = failure instanceof SQLException sql ? SqlErrors.text(sql) : failure.getMessage();
        // Throws if the connector does not tolerate errors, and then says which record it was.
        sinkTaskContext.errorRecordReporter().report(record, new ConnectException("table '" + table(record) + "' does not take the record: " + why, failure));
    }

    @Override
    public void stop() {
        if (connections != null) {
            connections.close();
        }
        closeConnection();
    }
}
