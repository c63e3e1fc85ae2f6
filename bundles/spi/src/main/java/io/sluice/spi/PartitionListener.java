package io.sluice.spi;

import io.openmessaging.connector.api.data.RecordPartition;
import java.util.Collection;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Implemented by a sink task that wants to know which queues it owns.
 *
 * <p>Called on the task's own thread. {@link #opened} comes before the first record of a queue, so that a task may rewind it with
 * {@code SinkTaskContext.resetOffset}; {@link #closed} comes after the last {@code put} and the commit that follows it.
 */
@ConsumerType
public interface PartitionListener {

    /** The task owns these queues from now on. */
    void opened(Collection<RecordPartition> partitions);

    /** The task has lost these queues; it must not write for them any more. */
    void closed(Collection<RecordPartition> partitions);
}
