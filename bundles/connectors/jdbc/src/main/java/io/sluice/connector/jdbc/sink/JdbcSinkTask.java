package io.sluice.connector.jdbc.sink;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.sink.SinkTask;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.connector.jdbc.db.ConnectionSettings;
import io.sluice.connector.jdbc.sink.write.Delivery;
import io.sluice.connector.jdbc.sink.write.JdbcTarget;
import io.sluice.spi.PartitionListener;
import io.sluice.spi.config.Config;
import java.util.Collection;
import java.util.List;

/**
 * Writes records into tables. What {@link #put} has returned from is committed in the database, so that nothing is left to flush.
 */
public final class JdbcSinkTask extends SinkTask implements PartitionListener {

    private volatile Delivery delivery;

    @Override
    public void start(KeyValue config) {
        // The database is only needed for the first record: one that is down holds the task up, and does not fail it.
        SinkOptions options = SinkOptions.of(Config.of(config, JdbcSinkConfig.class));
        JdbcTarget target = new JdbcTarget(options, ConnectionSettings.of(config), sinkTaskContext.getConnectorName(), sinkTaskContext.getTaskName());
        delivery = new Delivery(sinkTaskContext, options, target);
    }

    @Override
    public void opened(Collection<RecordPartition> partitions) {
        delivery.opened(partitions);
    }

    @Override
    public void closed(Collection<RecordPartition> partitions) {
        delivery.closed(partitions);
    }

    /**
     * @throws RetriableException if the database cannot be reached for longer than the configured retries
     * @throws ConnectException if a record cannot be written and errors are not tolerated, or none can be written
     */
    @Override
    public void put(List<ConnectRecord> records) {
        delivery.put(records);
    }

    /** May be called by another thread while a put is under way, which it ends. */
    @Override
    public void stop() {
        Delivery open = delivery;
        if (open != null) {
            open.close();
        }
    }
}
