package io.sluice.connector.jdbc.sink.offset;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordPartition;
import io.sluice.spi.RecordNames;
import java.util.Comparator;
import java.util.Map;

/** A queue, as records name it. */
public record Place(String topic, String broker, int queue) {

    static final Comparator<Place> ORDER = Comparator.comparing(Place::topic).thenComparing(Place::broker).thenComparing(Place::queue);

    public static Place of(RecordPartition partition) {
        Map<String, ?> map = partition.getPartition();
        return new Place(text(map, RecordNames.TOPIC), text(map, RecordNames.BROKER_NAME), Integer.parseInt(text(map, RecordNames.QUEUE_ID)));
    }

    public static Place of(ConnectRecord record) {
        return of(record.getPosition().getPartition());
    }

    /** The offset of a record in its queue. */
    public static long offset(ConnectRecord record) {
        return Long.parseLong(text(record.getPosition().getOffset().getOffset(), RecordNames.QUEUE_OFFSET));
    }

    private static String text(Map<String, ?> map, String key) {
        Object value = map.get(key);
        if (value == null) {
            throw new IllegalArgumentException("'" + key + "' is missing in " + map);
        }
        return value.toString();
    }

    @Override
    public String toString() {
        return "topic '" + topic + "', broker '" + broker + "', queue " + queue;
    }
}
