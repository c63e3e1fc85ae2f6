package io.sluice.core.worker;

import io.sluice.core.definition.ReferenceResolver;
import io.sluice.core.rocketmq.RocketMq;
import io.sluice.core.rocketmq.WireFormat;
import io.sluice.core.store.OffsetStore;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What all connectors of a worker share.
 *
 * @param workerId the worker's id
 * @param offsets the store of source offsets
 * @param rocketMq the connection to RocketMQ; empty as long as it was not reached
 * @param rocketMqMissing why it is empty, for people
 * @param wire how records become messages
 * @param references resolves references when a task starts
 * @param pool runs what may block
 * @param clock tells the time of states and events
 * @param events keeps what happened
 */
public record WorkerContext(String workerId, OffsetStore offsets, Supplier<Optional<RocketMq>> rocketMq, Supplier<String> rocketMqMissing,
                            WireFormat wire, ReferenceResolver references, Executor pool, Clock clock, EventLog events) {
}
