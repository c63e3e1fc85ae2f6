package io.sluice.connector.jdbc.sink.write;

import io.openmessaging.connector.api.component.task.sink.ErrorRecordReporter;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.spi.AsyncErrorReporter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Hands records that cannot be written to the runtime, and waits until they are safe there: the rows beside them are committed afterwards, so
 * that a crash in between means a second report, never a lost record. Used by one thread.
 */
final class Reports {

    private static final long SAFE_SECONDS = 30;

    private final Optional<ErrorRecordReporter> reporter;
    /** Those of the batch at hand that are safe; it may be put several times. */
    private final Set<ConnectRecord> reported = Collections.newSetFromMap(new IdentityHashMap<>());

    /** @param reporter empty if the runtime has none; then the first such record fails the task */
    Reports(Optional<ErrorRecordReporter> reporter) {
        this.reporter = reporter;
    }

    /** @throws ConnectException if the connector does not tolerate errors, or a record could not be made safe */
    void report(List<RecordProblem> problems) {
        List<CompletableFuture<Void>> pending = new ArrayList<>();
        for (RecordProblem problem : problems) {
            if (reported.contains(problem.record())) {
                continue;
            }
            ErrorRecordReporter to = reporter.orElseThrow(() -> problem);
            if (to instanceof AsyncErrorReporter async) {
                pending.add(async.reportAsync(problem.record(), problem).toCompletableFuture());
            } else {
                to.report(problem.record(), problem);
            }
        }
        await(pending);
        problems.forEach(problem -> reported.add(problem.record()));
    }

    private static void await(List<CompletableFuture<Void>> pending) {
        try {
            CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new)).get(SAFE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ConnectException cause ? cause
                : new ConnectException("a record that cannot be written could not be reported: " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new RetriableException("records that cannot be written are not reported yet, after " + SAFE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetriableException("interrupted while records were reported", e);
        }
    }

    /** The batch at hand is written. */
    void forget() {
        reported.clear();
    }
}
