package io.sluice.core.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.core.store.StoreLog;
import io.sluice.runtime.State;
import io.sluice.spi.allocation.Unit;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns entries of the status log into keys and values and back. A value is a JSON object with the number of its format; names that are not
 * known are skipped, so that a later version may add some.
 */
public final class EntryCodec {

    /** The highest number of a format that this version reads, and the one it writes. */
    static final int FORMAT = 1;

    private static final JsonMapper JSON = JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private record AnnouncedJson(String id, String incarnation, Announcement.Phase phase, String restUrl, Set<Plugin> plugins, long leaseMs, long startedAt,
                                 String succeeds) { }

    private record BeatJson(String id, String incarnation, long number, long generation, String assignment) { }

    private record ExpelJson(String id, String incarnation, long beat, String byId, String byIncarnation, String token) { }

    private record ReleasedJson(String unit, long epoch) { }

    private record TasksJson(String connector, long epoch, long revision, List<Map<String, String>> configs) { }

    private record ReportJson(String unit, State state, String reason, long since, String id, String incarnation, Map<String, String> details) { }

    private EntryCodec() { }

    /** @throws IllegalArgumentException if it is one that could only be read, not written */
    public static StoreLog.Entry encode(LogEntry entry) {
        if (entry instanceof LogEntry.Removed removed) {
            return new StoreLog.Entry(removed.key(), null);
        }
        try {
            ObjectNode node = json(entry);
            node.put("format", FORMAT);
            return new StoreLog.Entry(entry.key(), JSON.writeValueAsBytes(node));
        } catch (IOException e) {
            throw new IllegalArgumentException("entry '" + entry.key() + "' cannot be written: " + e.getMessage(), e);
        }
    }

    private static ObjectNode json(LogEntry entry) throws IOException {
        if (entry instanceof LogEntry.Assigned assigned) {
            return AssignmentJson.write(JSON, assigned.assignment());
        }
        return JSON.valueToTree(flat(entry));
    }

    private static Object flat(LogEntry entry) {
        if (entry instanceof LogEntry.Announced announced) {
            Announcement a = announced.announcement();
            return new AnnouncedJson(a.member().id(), a.member().incarnation(), a.phase(), a.restUrl(), a.plugins(), a.leaseMs(), a.startedAt(), a.succeeds());
        } else if (entry instanceof LogEntry.Beat beat) {
            return new BeatJson(beat.member().id(), beat.member().incarnation(), beat.number(), beat.generation(), beat.assignment());
        } else if (entry instanceof LogEntry.Probe probe) {
            return new BeatJson(probe.member().id(), probe.member().incarnation(), probe.number(), 0, "");
        } else if (entry instanceof LogEntry.Expel e) {
            return new ExpelJson(e.member().id(), e.member().incarnation(), e.beat(), e.by().id(), e.by().incarnation(), e.token());
        } else if (entry instanceof LogEntry.Released released) {
            return new ReleasedJson(released.unit().text(), released.epoch());
        } else if (entry instanceof LogEntry.TaskConfigs tasks) {
            return new TasksJson(tasks.connector(), tasks.epoch(), tasks.revision(), tasks.configs());
        } else if (entry instanceof LogEntry.Report r) {
            return new ReportJson(r.unit().text(), r.state(), r.reason(), r.since(), r.worker().id(), r.worker().incarnation(), r.details());
        }
        throw new IllegalArgumentException("entry '" + entry.key() + "' is not one to be written");
    }

    /**
     * Reads an entry. Never fails: what cannot be read becomes {@link LogEntry.Unreadable}.
     *
     * @param value null if the key is gone
     */
    public static LogEntry decode(String key, byte[] value) {
        if (value == null) {
            return new LogEntry.Removed(key);
        }
        try {
            JsonNode node = JSON.readTree(value);
            int format = node.path("format").asInt(0);
            if (format > FORMAT) {
                return new LogEntry.Unreadable(key, "entry '" + key + "' has the format " + format + ", which this version of Sluice does not know (it knows up to "
                    + FORMAT + "); use the version that wrote it", true);
            }
            LogEntry entry = format < 1 ? null : read(key, node);
            if (entry != null && entry.key().equals(key)) {
                return entry;
            }
            return new LogEntry.Unreadable(key, "entry '" + key + "' is not one of a cluster's status", false);
        } catch (IOException | RuntimeException e) {
            return new LogEntry.Unreadable(key, "entry '" + key + "' cannot be read: " + e.getMessage(), false);
        }
    }

    private static LogEntry read(String key, JsonNode node) throws IOException {
        if (key.startsWith(LogEntry.BEAT)) {
            BeatJson beat = to(node, BeatJson.class);
            return new LogEntry.Beat(new MemberId(beat.id(), beat.incarnation()), beat.number(), beat.generation(),
                beat.assignment() == null ? "" : beat.assignment());
        } else if (key.startsWith(LogEntry.RELEASED)) {
            ReleasedJson released = to(node, ReleasedJson.class);
            return new LogEntry.Released(Unit.of(released.unit()), released.epoch());
        } else if (key.startsWith(LogEntry.ASSIGNMENT)) {
            return new LogEntry.Assigned(AssignmentJson.read(JSON, key, node));
        } else if (key.startsWith(LogEntry.ANNOUNCED)) {
            AnnouncedJson a = to(node, AnnouncedJson.class);
            return new LogEntry.Announced(new Announcement(new MemberId(a.id(), a.incarnation()), a.phase(), a.restUrl(), a.plugins(), a.leaseMs(),
                a.startedAt(), a.succeeds()));
        } else if (key.startsWith(LogEntry.PROBE)) {
            BeatJson probe = to(node, BeatJson.class);
            return new LogEntry.Probe(new MemberId(probe.id(), probe.incarnation()), probe.number());
        } else if (key.startsWith(LogEntry.EXPEL)) {
            ExpelJson e = to(node, ExpelJson.class);
            return new LogEntry.Expel(new MemberId(e.id(), e.incarnation()), e.beat(), new MemberId(e.byId(), e.byIncarnation()), e.token());
        } else if (key.startsWith(LogEntry.TASKS)) {
            TasksJson tasks = to(node, TasksJson.class);
            return new LogEntry.TaskConfigs(tasks.connector(), tasks.epoch(), tasks.revision(), tasks.configs());
        } else if (key.startsWith(LogEntry.REPORT)) {
            ReportJson r = to(node, ReportJson.class);
            return new LogEntry.Report(Unit.of(r.unit()), r.state(), r.reason(), r.since(), new MemberId(r.id(), r.incarnation()), r.details());
        }
        return null;
    }

    private static <T> T to(JsonNode node, Class<T> type) throws JsonProcessingException {
        return JSON.treeToValue(node, type);
    }
}
