package io.sluice.connector.jdbc.sink.write;

import io.openmessaging.connector.api.component.task.sink.SinkTaskContext;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.sluice.connector.jdbc.sink.offset.Place;
import io.sluice.connector.jdbc.sink.offset.QueueOffsets;
import io.sluice.spi.RecordNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Takes queues over in the database and has the runtime rewind them to the stored offsets. That is done when queues are assigned, or with the
 * first record if the database was away then.
 */
final class Ownership {

    private final SinkTaskContext context;
    /** Queues that the runtime rewinds when the put under way has returned; their records until then come again. */
    private final Set<Place> rewinding = new HashSet<>();

    Ownership(SinkTaskContext context) {
        this.context = context;
    }

    void opened(Connection connection, QueueOffsets offsets, Collection<RecordPartition> partitions) throws SQLException {
        for (RecordPartition partition : partitions) {
            Place place = Place.of(partition);
            offsets.claim(connection, List.of(place));
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
                if (!offsets.owns(place)) {
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
        return rewinding.isEmpty() ? records : records.stream().filter(record -> !rewinding.contains(Place.of(record))).toList();
    }

    private void rewind(RecordPartition partition, long offset) {
        context.resetOffset(partition, new RecordOffset(Map.of(RecordNames.QUEUE_OFFSET, Long.toString(offset))));
    }

    /** The put under way is about to return. */
    void delivered() {
        rewinding.clear();
    }
}
