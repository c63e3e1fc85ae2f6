package io.sluice.core.worker;

import io.openmessaging.connector.api.component.connector.ConnectorContext;
import io.openmessaging.connector.api.storage.OffsetStorageReader;
import io.sluice.core.store.OffsetStore;
import io.sluice.spi.ConnectorOffsets;
import java.util.function.Consumer;

/** What a connector can see and ask of the runtime. Any thread. */
final class RunningConnectorContext implements ConnectorContext, ConnectorOffsets {

    private final OffsetStorageReader offsets;
    private final Runnable retask;
    private final Consumer<Exception> raise;

    RunningConnectorContext(String connector, OffsetStore store, Runnable retask, Consumer<Exception> raise) {
        this.offsets = new StoredOffsets(connector, store);
        this.retask = retask;
        this.raise = raise;
    }

    @Override
    public void requestTaskReconfiguration() {
        retask.run();
    }

    @Override
    public void raiseError(Exception error) {
        raise.accept(error);
    }

    @Override
    public OffsetStorageReader offsetStorageReader() {
        return offsets;
    }
}
