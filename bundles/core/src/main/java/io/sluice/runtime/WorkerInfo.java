package io.sluice.runtime;

import java.time.Instant;
import java.util.Optional;

/**
 * A worker.
 *
 * @param id its {@code worker.id}
 * @param version the version of Sluice
 * @param cluster the cluster's name; of a standalone worker too
 * @param startedAt when its runtime started
 * @param ready true when its store is open and RocketMQ was reached
 * @param notReadyReason why it is not ready
 */
public record WorkerInfo(String id, String version, String cluster, Instant startedAt, boolean ready, Optional<String> notReadyReason) {
}
