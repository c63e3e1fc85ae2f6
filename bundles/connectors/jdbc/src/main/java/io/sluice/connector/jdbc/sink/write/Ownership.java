package io.sluice.connector.jdbc.sink.write;

import io.openmessaging.connector.api.component.task.sink.SinkTaskContext;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.sink.offset.Place;
import io.sluice.connector.jdbc.sink.offset.QueueOffsets.Lost;
import io.sluice.connector.jdbc.sink.offset.QueueOffsets;
import io.sluice.spi.RecordNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes queues over in the database and has the runtime rewind them to the stored offsets. That is done when queues are assigned, or with the
 * first record if the database was away then. A queue that another task has taken over since is left to it.
 */
final class Ownership {

    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);
    /** How long the runtime may take to tell that a queue is another task's: tasks learn of a new spread of queues one by one. */
    private static final long SPREADING_NANOS = Duration.ofSeconds(30).toNanos();

    private final SinkTaskContext context;
    private final LongSupplier nanos;
    /** Queues that another task has taken over, and since when that is known; their records are left to it. */
    private final Map<Place, Long> lost = new HashMap<>();
    /** Queues that the runtime rewinds when the put under way has returned; their records until then come again. */
    private final Set<Place> rewinding = new HashSet<>();

    /** @param nanos a clock as {@link System#nanoTime} */
    Ownership(SinkTaskContext context, LongSupplier nanos) {
        this.context = context;
        this.nanos = nanos;
    }

    void opened(Connection connection, QueueOffsets offsets, Collection<RecordPartition> partitions) throws SQLException {
        for (RecordPartition partition : partitions) {
            Place place = Place.of(partition);
            offsets.claim(connection, List.of(place));
            lost.remove(place);
            OptionalLong next = offsets.next(place);
            if (next.isPresent()) {
                rewind(partition, next.getAsLong());
            }
        }
    }

    void closed(Optional<QueueOffsets> offsets, Collection<RecordPartition> partitions) {
        List<Place> places = partitions.stream().map(Place::of).toList();
        offsets.ifPresent(owned -> owned.release(places));
        rewinding.removeAll(places);
        lost.keySet().removeAll(places);
    }

    /**
     * Leaves a queue to the task that has taken it over.
     *
     * @return the records of other queues
     */
    List<ConnectRecord> without(Lost queue, List<ConnectRecord> records) {
        LOG.warn("connector '{}', task '{}': {}; its records are left to that task", context.getConnectorName(), context.getTaskName(), queue.getMessage());
        lost.put(queue.place(), nanos.getAsLong());
        return records.stream().filter(record -> !queue.place().equals(Place.of(record))).toList();
    }

    private boolean isLost(Place place) {
        Long since = lost.get(place);
        if (since != null && nanos.getAsLong() - since > SPREADING_NANOS) {
            throw new ConnectException(place + ": another task has taken the queue over, and this one still gets its records; there must not be two connectors "
                + "of the name '" + context.getConnectorName() + "' that write to this database");
        }
        return since != null;
    }

    /** The records to write now: all but those of queues that are rewound first. */
    List<ConnectRecord> due(Connection connection, QueueOffsets offsets, List<ConnectRecord> records) throws SQLException {
        Map<Place, ConnectRecord> unclaimed = new LinkedHashMap<>();
        RecordPartition last = null;
        for (ConnectRecord record : records) {
            // The runtime uses one partition object for all records of a queue.
            if (record.getPosition().getPartition() != last) {
                last = record.getPosition().getPartition();
                Place place = Place.of(last);
                if (!isLost(place) && !offsets.owns(place)) {
                    unclaimed.putIfAbsent(place, record);
                }
            }
        }
        for (Map.Entry<Place, ConnectRecord> first : unclaimed.entrySet()) {
            offsets.claim(connection, List.of(first.getKey()));
            OptionalLong next = offsets.next(first.getKey());
            if (next.isPresent() && next.getAsLong() != Place.offset(first.getValue())) {
                rewind(first.getValue().getPosition().getPartition(), next.getAsLong());
                rewinding.add(first.getKey());
            }
        }
        return rewinding.isEmpty() && lost.isEmpty() ? records : records.stream().filter(record -> isDue(Place.of(record))).toList();
    }

    private boolean isDue(Place place) {
        return !rewinding.contains(place) && !lost.containsKey(place);
    }

    private void rewind(RecordPartition partition, long offset) {
        context.resetOffset(partition, new RecordOffset(Map.of(RecordNames.QUEUE_OFFSET, Long.toString(offset))));
    }

    /** The put under way is about to return. */
    void delivered() {
        rewinding.clear();
    }
}
