package io.sluice.core.worker;

import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.storage.OffsetStorageReader;
import io.sluice.core.store.OffsetStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The committed offsets of one connector, as the OpenMessaging API shows them. A partition without an offset has null, as its users expect. */
final class StoredOffsets implements OffsetStorageReader {

    private final String connector;
    private final OffsetStore store;

    StoredOffsets(String connector, OffsetStore store) {
        this.connector = connector;
        this.store = store;
    }

    @Override
    public RecordOffset readOffset(RecordPartition partition) {
        return store.get(connector, partition.getPartition()).map(RecordOffset::new).orElse(null);
    }

    @Override
    public Map<RecordPartition, RecordOffset> readOffsets(Collection<RecordPartition> partitions) {
        Map<RecordPartition, RecordOffset> offsets = new HashMap<>();
        for (RecordPartition partition : partitions) {
            RecordOffset offset = readOffset(partition);
            if (offset != null) {
                offsets.put(partition, offset);
            }
        }
        return offsets;
    }
}
