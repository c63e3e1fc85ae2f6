package io.sluice.core.cluster;

import io.sluice.spi.allocation.Unit;
import java.util.List;

/** What a member wants to be done; in the order in which it is returned, without waiting for one to end before the next. */
public sealed interface Action {

    /** Append these entries to the status log, as one. Nothing need be told about the outcome: what is not read back in time comes again. */
    record Append(List<LogEntry> entries) implements Action {

        public Append {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Claim the unit's offsets for the epoch, then start it.
     *
     * @param incarnation the gate that it must pass before everything that it sends, puts or commits
     */
    record StartUnit(Unit unit, long epoch, String incarnation) implements Action { }

    /**
     * Stop a unit, and say {@link Event.UnitStopped} when nothing of it can send any more.
     *
     * @param commit true to flush and commit before; false if it must let go of everything at once
     */
    record StopUnit(Unit unit, long epoch, boolean commit) implements Action { }

    /** A gate is open until then, by the local monotonic clock: whoever passes it compares the time itself. */
    record OpenGate(String incarnation, long untilMs) implements Action { }

    /** A gate is closed. @param forGood true if it will not open again */
    record CloseGate(String incarnation, boolean forGood, String why) implements Action { }

    /** The configurations of a connector's tasks have changed: those that run here take them over. */
    record TasksChanged(String connector) implements Action { }

    /** The worker is a member. */
    record Joined(MemberId member, long generation) implements Action { }

    /** The worker was expelled, and comes back as another incarnation. */
    record Expelled(MemberId member, String why) implements Action { }

    /** The worker cannot be a member; it does nothing more. */
    record Refused(String reason) implements Action { }

    /** The worker has left; it does nothing more. */
    record Left() implements Action { }

    /** Something went wrong that a person should know of; the member goes on. */
    record Problem(String text) implements Action { }
}
