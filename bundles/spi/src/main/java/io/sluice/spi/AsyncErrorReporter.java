package io.sluice.spi;

import io.openmessaging.connector.api.component.task.sink.ErrorRecordReporter;
import io.openmessaging.connector.api.data.ConnectRecord;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** An {@code ErrorRecordReporter} that tells when the record is safe; what a sink task's context returns is always one. */
@ProviderType
public interface AsyncErrorReporter extends ErrorRecordReporter {

    /**
     * Hands a record over that the task could not deliver.
     *
     * @return completed when the record is in the dead-letter queue (or was dropped by {@code errors.tolerance=all} without one);
     *     completed exceptionally when the connector does not tolerate errors or the queue refused the record
     */
    CompletionStage<Void> reportAsync(ConnectRecord record, Throwable error);
}
