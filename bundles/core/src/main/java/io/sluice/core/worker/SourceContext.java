package io.sluice.core.worker;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.source.SourceTaskContext;
import io.openmessaging.connector.api.storage.OffsetStorageReader;
import io.sluice.core.store.OffsetStore;
import io.sluice.spi.PluginMetrics;
import java.util.function.DoubleSupplier;

/** What a source task can see of the runtime. */
final class SourceContext implements SourceTaskContext, PluginMetrics {

    private final TaskSetup setup;
    private final OffsetStorageReader offsets;
    private final KeyValue config;
    private final TaskFigures figures;

    SourceContext(TaskSetup setup, OffsetStore store, TaskFigures figures) {
        this.setup = setup;
        this.offsets = new StoredOffsets(setup.connector(), store);
        this.config = KeyValues.of(setup.taskConfig());
        this.figures = figures;
    }

    @Override
    public OffsetStorageReader offsetStorageReader() {
        return offsets;
    }

    @Override
    public String getConnectorName() {
        return setup.connector();
    }

    @Override
    public String getTaskName() {
        return setup.name();
    }

    @Override
    public KeyValue configs() {
        return config;
    }

    @Override
    public void count(String name, long amount) {
        figures.count(name, amount);
    }

    @Override
    public void gauge(String name, DoubleSupplier value) {
        figures.gauge(name, value);
    }
}
