/**
 * The logic of a cluster: who belongs to it, who runs what, and how that changes without two ever running the same. Nothing here does I/O, has a
 * thread or reads a clock, so all of it runs in a simulation.
 *
 * <h2>What there is</h2>
 * <ul>
 * <li>{@link io.sluice.core.cluster.Member}: one worker's part. It is told {@link io.sluice.core.cluster.Event}s with the local monotonic time and
 * answers {@link io.sluice.core.cluster.Action}s.
 * <li>{@link io.sluice.core.cluster.ClusterState}: what the status log says, the same on every worker at the same position of the log. To be read for
 * display too: {@link io.sluice.core.cluster.Member#state()}.
 * <li>{@link io.sluice.core.cluster.EntryCodec}: {@link io.sluice.core.cluster.LogEntry}s as keys and values of a
 * {@link io.sluice.core.store.StoreLog}.
 * <li>The strategies {@code sticky}, {@code consistent-hash} and {@code average}, as services
 * {@link io.sluice.spi.allocation.AllocationStrategy}.
 * </ul>
 *
 * <h2>What the worker around it does</h2>
 * <ol>
 * <li>It opens the status log, hands every entry (decoded) to the member as {@code Applied}, in order, on one thread, and says {@code Connected} once
 * the log is replayed. All of a member's calls come on that one thread. The entries of other kinds that it wants shown it appends itself, as
 * {@link io.sluice.core.cluster.LogEntry.Report}.
 * <li>It says {@code Tick} every 100 ms or so, with {@code System.nanoTime()} in milliseconds; every event may bring actions.
 * <li>It does the actions in their order. {@code Append} must follow a {@code CloseGate} before it. An append that fails is not reported: the member
 * notices that it was not read back. Entries may land late, twice or in another order than they were appended; all of that is harmless.
 * <li>It says {@code Definitions} whenever the config store changes, with a version that grows with the store, and {@code Plugins} when
 * plugins come and go.
 * <li>{@code StartUnit}: a claim (unit, epoch) is appended to the offset log and read back, then offsets are read, then the task starts. Commits carry
 * unit and epoch, and a reader ignores those below the last claim of the unit. For a connector the answer is {@code TasksComputed}, again
 * whenever its task configurations change.
 * <li>{@code StopUnit}: when the unit has ended, or was given up after a bounded wait, its own valve is shut, so that not even a thread which hangs can
 * send any more, and only then {@code UnitStopped} is said. A unit that failed by itself stays started until it is told to stop.
 * <li>The gate is a time, not a switch: {@code OpenGate} says until when, by the monotonic clock, and whoever sends, puts or commits compares that with
 * the clock just before. A worker that was frozen finds its gate closed before any timer of it has fired. Each incarnation has a gate of its
 * own, and that of an expelled one never opens again.
 * </ol>
 *
 * <h2>Why no two run the same unit</h2>
 * A {@link io.sluice.core.cluster.Placement} lists who holds a unit, one after the other; its owner is the first who has not released it. A proposal
 * keeps every hold of a member that has not released, so ownership changes in two ways only: the owner says that it has stopped, or the owner
 * is dropped from the membership. It is dropped only by someone who wrote an expulsion, naming the last beat it knew, after a silence longer than
 * the lease, and read that back with no beat between: from that place in the log on the member's lease cannot grow, and it ended before. The
 * margin covers clocks whose rates differ by 10 % either way.
 */
package io.sluice.core.cluster;
