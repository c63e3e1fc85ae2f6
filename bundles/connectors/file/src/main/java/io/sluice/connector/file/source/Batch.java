package io.sluice.connector.file.source;

import io.openmessaging.connector.api.data.ConnectRecord;
import java.util.ArrayList;
import java.util.List;

/** The records of one poll. */
final class Batch {

    private final List<ConnectRecord> records;
    private final int maxLines;
    private final long maxBytes;
    private final Long timestamp = System.currentTimeMillis();
    private long bytes;

    Batch(SourceOptions options) {
        maxLines = options.batchMaxLines();
        maxBytes = options.batchMaxBytes();
        records = new ArrayList<>(Math.min(maxLines, 2048));
    }

    void add(ConnectRecord record, long lineBytes) {
        records.add(record);
        bytes += lineBytes;
    }

    boolean isFull() {
        return records.size() >= maxLines || bytes >= maxBytes;
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    /** The time for all of its records. */
    Long timestamp() {
        return timestamp;
    }

    List<ConnectRecord> records() {
        return records;
    }
}
