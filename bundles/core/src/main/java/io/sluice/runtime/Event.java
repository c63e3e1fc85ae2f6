package io.sluice.runtime;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that happened and that an operator may want to know.
 *
 * @param time when
 * @param connector the connector it is about; empty if about the worker
 * @param task the task it is about; empty if about the connector
 * @param message one line
 */
public record Event(Instant time, Optional<String> connector, Optional<Integer> task, String message) {
}
