package io.sluice.spi;

import io.openmessaging.connector.api.storage.OffsetStorageReader;
import org.osgi.annotation.versioning.ProviderType;

/** Access to stored source offsets for a connector, not only for its tasks; the context object of every source connector implements it. */
@ProviderType
public interface ConnectorOffsets {

    /** Reads the offsets that the connector's tasks have committed. */
    OffsetStorageReader offsetStorageReader();
}
