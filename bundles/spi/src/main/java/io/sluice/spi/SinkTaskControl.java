package io.sluice.spi;

import java.time.Duration;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What a sink task may ask of the runtime beyond {@code SinkTaskContext}; the context object of every sink task implements it.
 * Call from the task's own thread.
 */
@ProviderType
public interface SinkTaskControl {

    /** How long to wait before a batch that ended in a {@code RetriableException} is put again; in force for the next such failure. */
    void retryTimeout(Duration delay);

    /** Asks for a commit as soon as the current {@code put} has returned. */
    void requestCommit();
}
