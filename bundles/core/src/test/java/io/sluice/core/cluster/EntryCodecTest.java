package io.sluice.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.cluster.Assignment.Seat;
import io.sluice.core.store.StoreLog;
import io.sluice.runtime.State;
import io.sluice.spi.allocation.Unit;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EntryCodecTest {

    private static final MemberId A = new MemberId("a@x", "1");
    private static final MemberId B = new MemberId("b", "2");

    private static Assignment assignment(Map<Unit, Placement> units) {
        return new Assignment("assignment@7#t", 7, A, 42, new TreeMap<>(Map.of(A.id(), new Seat(A, 6_000), B.id(), new Seat(B, 9_000))),
            Map.of(new MemberId("c", "3"), "silent"), units);
    }

    @Test
    void everyEntryComesBackAsItWas() {
        Unit connector = Unit.connector("or/ders@1");
        List<LogEntry> entries = List.of(
            new LogEntry.Announced(new Announcement(A, Announcement.Phase.LEAVING, "http://127.0.0.1:8083", Set.of(new Plugin("a.B", "b", "source", "1.2.3")), 6_000,
                17, "0")),
            new LogEntry.Beat(A, 5, 7, "assignment@7#t"), new LogEntry.Probe(A, 6), new LogEntry.Expel(B, 9, A, "t1"), new LogEntry.Released(connector, 12),
            new LogEntry.TaskConfigs("or/ders@1", 3, 8, List.of(Map.of("k", "v"), Map.of())),
            new LogEntry.Report(Unit.task("x", 3), State.FAILED, "why", 99, B, Map.of("trace", "…")),
            new LogEntry.Assigned(assignment(Map.of(connector, new Placement(List.of(new Hold(A, 3), new Hold(B, 7)), ""), Unit.task("or/ders@1", 0),
                new Placement(List.of(), "nobody can"), Unit.task("or/ders@1", 1), new Placement(List.of(new Hold(B, 2)), "deleted")))),
            new LogEntry.Assigned(assignment(Map.of())));

        for (LogEntry entry : entries) {
            StoreLog.Entry written = EntryCodec.encode(entry);
            assertThat(EntryCodec.decode(written.key(), written.value())).isEqualTo(entry);
        }
        assertThat(EntryCodec.decode("beat/a@1", EntryCodec.encode(new LogEntry.Removed("beat/a@1")).value())).isEqualTo(new LogEntry.Removed("beat/a@1"));
    }

    @Test
    void laterFormatIsToldFromWhatIsBroken() {
        LogEntry later = EntryCodec.decode("assignment@7#t", "{\"format\":2,\"generation\":7}".getBytes(StandardCharsets.UTF_8));
        LogEntry broken = EntryCodec.decode("assignment@7#t", "{\"format\":1,\"generation\":7}".getBytes(StandardCharsets.UTF_8));
        LogEntry foreign = EntryCodec.decode("what/ever", new byte[] {1, 2, 3});

        assertThat(later).isInstanceOfSatisfying(LogEntry.Unreadable.class, entry -> {
            assertThat(entry.decides()).isTrue();
            assertThat(entry.why()).contains("format 2", "use the version that wrote it");
        });
        assertThat(broken).isInstanceOfSatisfying(LogEntry.Unreadable.class, entry -> assertThat(entry.decides()).isFalse());
        assertThat(foreign).isInstanceOf(LogEntry.Unreadable.class);
    }

    @Test
    void namesOfLaterVersionsAreSkipped() {
        assertThat(EntryCodec.decode("beat/b@2", "{\"format\":1,\"id\":\"b\",\"incarnation\":\"2\",\"number\":4,\"mood\":\"good\"}".getBytes(StandardCharsets.UTF_8)))
            .isEqualTo(new LogEntry.Beat(B, 4, 0, ""));
    }

    @Test
    void tenThousandTasksOnAHundredWorkersStayFarBelowTheLimitOfAMessage() {
        TreeMap<String, Seat> members = new TreeMap<>();
        for (int worker = 0; worker < 100; worker++) {
            MemberId member = new MemberId("worker-" + worker, UUID.randomUUID().toString());
            members.put(member.id(), new Seat(member, 6_000));
        }
        List<MemberId> all = members.values().stream().map(Seat::member).toList();
        Map<Unit, Placement> units = new HashMap<>();
        for (int task = 0; task < 10_000; task++) {
            units.put(Unit.task("a-connector-with-a-longer-name-" + task / 10, task % 10),
                new Placement(List.of(new Hold(all.get(task * 7919 % 100), 1_000 + task % 17), new Hold(all.get(task * 31 % 100), 2_000)), ""));
        }
        StoreLog.Entry entry = EntryCodec.encode(new LogEntry.Assigned(new Assignment("assignment@2000#t", 2_000, all.get(0), 1, members, Map.of(), units)));

        assertThat(entry.value().length).as("bytes").isLessThan(300_000);
    }
}
