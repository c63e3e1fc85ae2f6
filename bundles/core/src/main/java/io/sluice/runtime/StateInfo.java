package io.sluice.runtime;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A state with its reason.
 *
 * @param state the state
 * @param reason one line for people that says why; empty when the state explains itself
 * @param since when it came into this state
 * @param workerId the worker that says so
 * @param trace the stack trace of a failure, for FAILED
 */
public record StateInfo(State state, Optional<String> reason, Instant since, String workerId, Optional<String> trace) {

    public StateInfo {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(workerId, "workerId");
        Objects.requireNonNull(trace, "trace");
    }
}
