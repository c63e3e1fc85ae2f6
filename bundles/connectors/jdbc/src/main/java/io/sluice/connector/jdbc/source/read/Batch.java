package io.sluice.connector.jdbc.source.read;

import io.openmessaging.connector.api.data.ConnectRecord;
import java.util.ArrayList;
import java.util.List;

/** The records of one poll, up to so many or so large. */
public final class Batch {

    private final List<ConnectRecord> records = new ArrayList<>();
    private final int maxRows;
    private final long maxBytes;
    private long bytes;

    public Batch(int maxRows, long maxBytes) {
        this.maxRows = maxRows;
        this.maxBytes = maxBytes;
    }

    void add(ConnectRecord record, long size) {
        records.add(record);
        bytes += size;
    }

    boolean isFull() {
        return records.size() >= maxRows || bytes >= maxBytes;
    }

    public boolean isEmpty() {
        return records.isEmpty();
    }

    public List<ConnectRecord> records() {
        return records;
    }
}
