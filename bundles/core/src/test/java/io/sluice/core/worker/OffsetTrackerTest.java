package io.sluice.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class OffsetTrackerTest {

    private final OffsetTracker<OffsetTracker.Entry> tracker = new OffsetTracker<>();

    private OffsetTracker.Entry add(String partition, long offset) {
        OffsetTracker.Entry entry = new OffsetTracker.Entry(
            new ConnectRecord(new RecordPartition(Map.of("file", partition)), new RecordOffset(Map.of("position", offset)), 0L));
        tracker.add(entry);
        return entry;
    }

    private Map<Map<String, ?>, Map<String, ?>> committable() {
        tracker.drain(unused -> { });
        return tracker.takeCommittable();
    }

    @Test
    void holdsAnOffsetBackUntilAllBeforeItAreDone() {
        OffsetTracker.Entry first = add("a", 1);
        OffsetTracker.Entry second = add("a", 2);
        second.done();
        assertThat(committable()).isEmpty();
        first.done();
        assertThat(committable()).isEqualTo(Map.of(Map.of("file", "a"), Map.of("position", 2L)));
        assertThat(committable()).isEmpty();
        assertThat(tracker.size()).isZero();
    }

    @Test
    void partitionsDoNotWaitForEachOther() {
        add("a", 1);
        add("b", 7).done();
        assertThat(committable()).isEqualTo(Map.of(Map.of("file", "b"), Map.of("position", 7L)));
    }

    @Test
    void givesBackOnlyWhatNothingLaterHasReplaced() {
        add("a", 1).done();
        Map<Map<String, ?>, Map<String, ?>> failed = committable();
        add("a", 2).done();
        tracker.drain(unused -> { });
        tracker.giveBack(failed);
        assertThat(tracker.takeCommittable()).isEqualTo(Map.of(Map.of("file", "a"), Map.of("position", 2L)));
        tracker.giveBack(failed);
        assertThat(tracker.takeCommittable()).isEqualTo(failed);
    }

    @Test
    void recordsWithoutAPositionAreToldButNeverCommitted() {
        OffsetTracker.Entry entry = new OffsetTracker.Entry(new ConnectRecord(null, null, 0L));
        tracker.add(entry);
        entry.done();
        List<OffsetTracker.Entry> told = new ArrayList<>();
        tracker.drain(told::add);
        assertThat(told).containsExactly(entry);
        assertThat(tracker.takeCommittable()).isEmpty();
    }

    /** Whatever the order of acknowledgements, an offset is committed exactly when it and all before it in its partition are done. */
    @Property(tries = 200)
    void commitsExactlyThePrefixThatIsDone(@ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int partitions, @ForAll @IntRange(max = 60) int records) {
        OffsetTracker<OffsetTracker.Entry> fresh = new OffsetTracker<>();
        Random random = new Random(seed);
        Map<String, List<OffsetTracker.Entry>> model = new HashMap<>();
        Map<OffsetTracker.Entry, Boolean> done = new HashMap<>();
        List<OffsetTracker.Entry> open = new ArrayList<>();
        Map<String, Long> committed = new HashMap<>();
        for (int i = 0; i < records; i++) {
            String partition = "p" + random.nextInt(partitions);
            OffsetTracker.Entry entry = new OffsetTracker.Entry(
                new ConnectRecord(new RecordPartition(Map.of("file", partition)), new RecordOffset(Map.of("position", (long) i)), 0L));
            fresh.add(entry);
            model.computeIfAbsent(partition, unused -> new ArrayList<>()).add(entry);
            open.add(entry);
            while (!open.isEmpty() && random.nextInt(3) > 0) {
                OffsetTracker.Entry acknowledged = open.remove(random.nextInt(open.size()));
                acknowledged.done();
                done.put(acknowledged, true);
            }
            if (random.nextBoolean()) {
                fresh.drain(unused -> { });
                fresh.takeCommittable().forEach((at, offset) -> committed.put((String) at.get("file"), (Long) offset.get("position")));
                model.forEach((name, entries) -> {
                    Long expected = null;
                    for (OffsetTracker.Entry each : entries) {
                        if (!done.containsKey(each)) {
                            break;
                        }
                        expected = (Long) each.record().getPosition().getOffset().getOffset().get("position");
                    }
                    assertThat(committed.get(name)).as("seed %d, partition %s", seed, name).isEqualTo(expected);
                });
            }
        }
    }
}
