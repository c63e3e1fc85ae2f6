package io.sluice.core.cluster;

import io.sluice.runtime.State;
import io.sluice.spi.allocation.Unit;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** An entry of the status log, read. */
public sealed interface LogEntry {

    String ANNOUNCED = "worker/";
    String BEAT = "beat/";
    String PROBE = "probe/";
    String EXPEL = "expel/";
    String ASSIGNMENT = "assignment@";
    String RELEASED = "released/";
    String TASKS = "tasks/";
    String REPORT = "state/";

    /** What it is kept under. */
    String key();

    /** A worker says who it is. Written by that incarnation alone. */
    record Announced(Announcement announcement) implements LogEntry {

        @Override
        public String key() {
            return ANNOUNCED + announcement.member().text();
        }
    }

    /**
     * A sign of life that prolongs its writer's lease, and a witness of the assignment that counts.
     *
     * @param number differs from those of all others of that incarnation
     * @param generation of the assignment that its writer, a member, knows; 0 if it is none, and so no witness
     * @param assignment the key of that assignment; empty if there is none
     */
    record Beat(MemberId member, long number, long generation, String assignment) implements LogEntry {

        @Override
        public String key() {
            return BEAT + member.text();
        }
    }

    /** Written to see whether the log can be written and read again; no sign of life. */
    record Probe(MemberId member, long number) implements LogEntry {

        @Override
        public String key() {
            return PROBE + member.text();
        }
    }

    /**
     * Says that a member has been silent for too long. It is expelled if the last of its beats before this entry is the one that is named here.
     *
     * @param beat the number of the last beat that its writer knows; 0 if it knows of none
     * @param token differs for every attempt
     */
    record Expel(MemberId member, long beat, MemberId by, String token) implements LogEntry {

        @Override
        public String key() {
            return EXPEL + member.text() + "#" + token;
        }
    }

    /** A proposal, or, if it is the first of its generation in the log, the assignment. */
    record Assigned(Assignment assignment) implements LogEntry {

        @Override
        public String key() {
            return assignment.key();
        }
    }

    /** The member that had this hold of a unit has stopped the unit, and will not start it under this hold again. */
    record Released(Unit unit, long epoch) implements LogEntry {

        @Override
        public String key() {
            return RELEASED + unit.text() + "@" + epoch;
        }
    }

    /**
     * The configurations of a connector's tasks, as the owner of the connector unit computed them.
     *
     * @param epoch of the hold under which it ran; the highest counts
     * @param revision of the definition that they were computed from
     */
    record TaskConfigs(String connector, long epoch, long revision, List<Map<String, String>> configs) implements LogEntry {

        public TaskConfigs {
            configs = configs.stream().map(Map::copyOf).toList();
        }

        @Override
        public String key() {
            return TASKS + connector + "@" + epoch;
        }
    }

    /**
     * How a unit fares, for display only.
     *
     * @param reason one line; empty if the state explains itself
     * @param since in milliseconds since 1970
     * @param details whatever else is shown
     */
    record Report(Unit unit, State state, String reason, long since, MemberId worker, Map<String, String> details) implements LogEntry {

        public Report {
            details = Map.copyOf(details);
        }

        @Override
        public String key() {
            return REPORT + unit.text();
        }
    }

    /** The key is gone. */
    record Removed(String key) implements LogEntry {

        public Removed {
            Objects.requireNonNull(key, "key");
        }
    }

    /**
     * An entry that this version cannot read.
     *
     * @param why for people
     * @param newer true if a later version wrote it
     */
    record Unreadable(String key, String why, boolean newer) implements LogEntry {

        /** True if whoever cannot read it cannot know who owns what. */
        boolean decides() {
            return newer && (key.startsWith(ASSIGNMENT) || key.startsWith(RELEASED) || key.startsWith(EXPEL));
        }
    }
}
