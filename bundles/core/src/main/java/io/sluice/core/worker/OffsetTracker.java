package io.sluice.core.worker;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordPartition;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Knows how far each source partition is acknowledged without a gap, so that an offset is committed only when its record and all before
 * it in the same partition are safe.
 *
 * <p>{@link #add} and {@link #drain} belong to the task's thread. {@link Entry#done} may be called by any thread: it is one volatile
 * write, and the only thing that threads share here.
 */
final class OffsetTracker<E extends OffsetTracker.Entry> {

    /** One record that is under way. */
    static class Entry {

        private final ConnectRecord record;
        private volatile boolean done;

        Entry(ConnectRecord record) {
            this.record = record;
        }

        /** The record is safe, or will never be sent. */
        final void done() {
            done = true;
        }

        /** The record as the task gave it. */
        final ConnectRecord record() {
            return record;
        }
    }

    private static final class Lane<E> {
        private final ArrayDeque<E> underWay = new ArrayDeque<>();
        private Map<String, ?> committable;
    }

    private final Map<RecordPartition, Lane<E>> lanes = new HashMap<>();
    /** Records without a position are in no partition; they still are told apart as acknowledged or not. */
    private final Lane<E> unplaced = new Lane<>();
    private RecordPartition lastPartition;
    private Lane<E> lastLane;
    private int size;

    /** Takes a record in the order in which the task gave it. */
    void add(E entry) {
        laneOf(entry.record()).underWay.addLast(entry);
        size++;
    }

    private Lane<E> laneOf(ConnectRecord record) {
        if (record.getPosition() == null || record.getPosition().getPartition() == null) {
            return unplaced;
        }
        RecordPartition partition = record.getPosition().getPartition();
        // Tasks hand out the same partition object again and again; its hash is deep, so it is worth not asking for it.
        if (partition != lastPartition) {
            lastLane = lanes.computeIfAbsent(partition, unused -> new Lane<>());
            lastPartition = partition;
        }
        return lastLane;
    }

    /** Lets go of what is acknowledged without a gap. @param acknowledged told of every such record, in the order of its partition */
    void drain(Consumer<E> acknowledged) {
        drain(unplaced, acknowledged);
        lanes.values().forEach(lane -> drain(lane, acknowledged));
    }

    private void drain(Lane<E> lane, Consumer<E> acknowledged) {
        E first;
        while ((first = lane.underWay.peekFirst()) != null && isDone(first)) {
            lane.underWay.removeFirst();
            size--;
            if (lane != unplaced && first.record().getPosition().getOffset() != null) {
                lane.committable = first.record().getPosition().getOffset().getOffset();
            }
            acknowledged.accept(first);
        }
    }

    /** The offsets that may be committed and were not taken yet, by partition; taken now. */
    Map<Map<String, ?>, Map<String, ?>> takeCommittable() {
        Map<Map<String, ?>, Map<String, ?>> offsets = new HashMap<>();
        for (Iterator<Map.Entry<RecordPartition, Lane<E>>> it = lanes.entrySet().iterator(); it.hasNext();) {
            Map.Entry<RecordPartition, Lane<E>> entry = it.next();
            Lane<E> lane = entry.getValue();
            if (lane.committable != null) {
                offsets.put(Objects.requireNonNull(entry.getKey().getPartition()), lane.committable);
                lane.committable = null;
            }
            if (lane.underWay.isEmpty() && lane != lastLane) {
                it.remove();
            }
        }
        return offsets;
    }

    /** Takes back offsets that could not be committed, unless later ones of their partitions may be committed by now. */
    void giveBack(Map<Map<String, ?>, Map<String, ?>> offsets) {
        offsets.forEach((partition, offset) -> {
            Lane<E> lane = lanes.computeIfAbsent(new RecordPartition(partition), unused -> new Lane<>());
            if (lane.committable == null) {
                lane.committable = offset;
            }
        });
    }

    private static boolean isDone(Entry entry) {
        return entry.done;
    }

    /** How many records are not acknowledged, or wait for one before them that is not. */
    int size() {
        return size;
    }
}
