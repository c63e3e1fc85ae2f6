package io.sluice.transforms.record;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.sluice.spi.RecordNames;
import java.util.Map;
import java.util.Optional;

/** Where a sink record was read from; all empty for a source record, whose partition and offset are its connector's own affair. */
public final class Place {

    private Place() {
    }

    public static Optional<String> broker(ConnectRecord record) {
        return text(partition(record).get(RecordNames.BROKER_NAME));
    }

    public static Optional<Integer> queue(ConnectRecord record) {
        return broker(record).isEmpty() ? Optional.empty() : text(partition(record).get(RecordNames.QUEUE_ID)).map(Integer::valueOf);
    }

    public static Optional<Long> offset(ConnectRecord record) {
        if (broker(record).isEmpty() || record.getPosition().getOffset() == null || record.getPosition().getOffset().getOffset() == null) {
            return Optional.empty();
        }
        return text(record.getPosition().getOffset().getOffset().get(RecordNames.QUEUE_OFFSET)).map(Long::valueOf);
    }

    private static Map<String, ?> partition(ConnectRecord record) {
        if (record.getPosition() == null || record.getPosition().getPartition() == null
            || record.getPosition().getPartition().getPartition() == null) {
            return Map.of();
        }
        return record.getPosition().getPartition().getPartition();
    }

    private static Optional<String> text(Object value) {
        return Optional.ofNullable(value).map(Object::toString);
    }
}
