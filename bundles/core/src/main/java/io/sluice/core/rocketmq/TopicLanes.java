package io.sluice.core.rocketmq;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * The lanes of one topic. As long as its queues are not known, messages are held here; also while the lanes drain after the number of
 * queues has changed, since a key may belong to another queue then, and must not overtake itself. Guarded by the sender's lock.
 */
final class TopicLanes {

    /** What follows from the queues that the name server has told. */
    enum Outcome { FOUND, SAME, CHANGING, LOOK_AGAIN }

    private static final int HELD_BYTES = 64 << 10;
    private static final int HELD_RECORDS = 1_000;

    private final String name;
    private final long lostQueuePatienceNanos;
    /** Each holds one message or more, in order. */
    private final ArrayDeque<Batch> held = new ArrayDeque<>();
    private Lane[] lanes = {};
    private Lane[] next;
    private long routedNanos;
    private long missingSinceNanos;
    private boolean missing;
    private boolean routing;
    private String trouble;
    private int failures;

    TopicLanes(String name, Duration lostQueuePatience) {
        this.name = name;
        this.lostQueuePatienceNanos = lostQueuePatience.toNanos();
    }

    String name() {
        return name;
    }

    /** True if messages must be held. */
    boolean isHolding() {
        return next != null || lanes.length == 0;
    }

    boolean hasLanes() {
        return lanes.length > 0;
    }

    void hold(byte[] message, int size, int hash, RecordSender.Listener listener) {
        Batch last = held.peekLast();
        if (last == null || !last.hasRoom(size, HELD_BYTES, HELD_RECORDS)) {
            last = new Batch();
            held.addLast(last);
        }
        last.add(message, 0, size, hash, listener);
    }

    Lane lane(int hash) {
        return lanes[Math.floorMod(hash, lanes.length)];
    }

    Lane[] lanes() {
        return lanes;
    }

    /** Takes in the queues that may be written. */
    Outcome routed(List<MessageQueue> queues, long nowNanos) {
        routedNanos = nowNanos;
        trouble = null;
        failures = 0;
        Set<MessageQueue> present = new LinkedHashSet<>();
        for (Lane lane : next == null ? lanes : next) {
            present.add(lane.queue());
        }
        if (queues.isEmpty() || queues.equals(List.copyOf(present))) {
            missing = false;
            return Outcome.SAME;
        }
        if (!queues.containsAll(present)) {
            // A broker that restarts is gone for a while. Keys move to other queues only when it does not come back.
            if (!missing) {
                missing = true;
                missingSinceNanos = nowNanos;
            }
            if (nowNanos - missingSinceNanos < lostQueuePatienceNanos) {
                return Outcome.LOOK_AGAIN;
            }
        }
        missing = false;
        Map<MessageQueue, Lane> kept = new HashMap<>();
        for (Lane lane : lanes) {
            kept.put(lane.queue(), lane);
        }
        next = queues.stream().map(queue -> kept.getOrDefault(queue, new Lane(queue))).toArray(Lane[]::new);
        List<Lane> staying = Arrays.asList(next);
        List<Batch> withdrawn = new ArrayList<>();
        for (Lane lane : lanes) {
            lane.abandon(!staying.contains(lane));
            if (lane.isAbandoned() && !lane.isUnanswered()) {
                withdrawn.addAll(lane.withdraw());
            }
        }
        holdFirst(withdrawn);
        return lanes.length == 0 ? Outcome.FOUND : Outcome.CHANGING;
    }

    /** Holds what was sent before everything that is held already. */
    void holdFirst(List<Batch> earlier) {
        for (int i = earlier.size() - 1; i >= 0; i--) {
            held.addFirst(earlier.get(i));
        }
    }

    /** Goes over to the new queues if the old lanes have drained. @return what was held, in order, to be put into the lanes */
    List<Batch> switchOver() {
        if (next == null) {
            return List.of();
        }
        for (Lane lane : lanes) {
            if (!lane.isIdle()) {
                return List.of();
            }
        }
        lanes = next;
        next = null;
        List<Batch> messages = new ArrayList<>(held);
        held.clear();
        return messages;
    }

    /** Takes out everything that is held. */
    List<Batch> giveUp() {
        List<Batch> messages = new ArrayList<>(held);
        held.clear();
        return messages;
    }

    boolean isOld(long nowNanos, long ageNanos) {
        return nowNanos - routedNanos > ageNanos;
    }

    /** Begins to look up the route. @return false if somebody is doing so */
    boolean beginRouting() {
        boolean begun = !routing;
        routing = true;
        return begun;
    }

    void endRouting() {
        routing = false;
    }

    /** The route was not found. @return how often in a row */
    int failed(String reason) {
        trouble = reason;
        return ++failures;
    }

    /** Why messages of this topic are not getting through; null if they are. */
    String trouble() {
        if (trouble != null && (!held.isEmpty() || lanes.length == 0)) {
            return trouble;
        }
        for (Lane lane : lanes) {
            if (lane.trouble() != null) {
                return lane.trouble();
            }
        }
        return null;
    }
}
