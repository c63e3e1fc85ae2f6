package io.sluice.spi;

import java.util.function.DoubleSupplier;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Figures of a plugin's own, shown beside those of the runtime under the connector's and task's name; every context object
 * implements it. What was registered is removed when the task stops.
 */
@ProviderType
public interface PluginMetrics {

    /** Adds {@code amount} to the counter {@code name} (lower case, dots between words). Any thread. */
    void count(String name, long amount);

    /** Shows the value of {@code value} as {@code name}, asked for whenever somebody looks; it must not block. Any thread. */
    void gauge(String name, DoubleSupplier value);
}
