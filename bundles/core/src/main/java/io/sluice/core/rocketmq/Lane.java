package io.sluice.core.rocketmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * What waits for one queue and what is under way to it. One batch is under way at a time, which is what keeps the order. Guarded by the
 * sender's lock.
 */
final class Lane {

    /** A message with the one who wants to know what becomes of it. */
    record Parcel(Message message, RecordSender.Listener listener, int bytes) { }

    private final MessageQueue queue;
    private final ArrayDeque<Parcel> waiting = new ArrayDeque<>();
    private List<Parcel> underWay = List.of();
    /** How many of the waiting parcels go one by one, since a batch that held them was refused. */
    private int singly;
    private int failures;
    private String trouble;
    private boolean lingering;

    Lane(MessageQueue queue) {
        this.queue = queue;
    }

    MessageQueue queue() {
        return queue;
    }

    void add(Parcel parcel) {
        waiting.addLast(parcel);
    }

    boolean isIdle() {
        return underWay.isEmpty() && waiting.isEmpty();
    }

    boolean isBusy() {
        return !underWay.isEmpty();
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** True once, until {@link #takeBatch}: a batch that lingers is waited for by one timer. */
    boolean beginLinger() {
        boolean begun = !lingering;
        lingering = true;
        return begun;
    }

    /** Takes what goes next. Call when nothing is under way. */
    List<Parcel> takeBatch(int maxBytes, int maxRecords) {
        lingering = false;
        List<Parcel> batch = new ArrayList<>(Math.min(waiting.size(), maxRecords));
        int bytes = 0;
        int limit = singly > 0 ? 1 : maxRecords;
        while (batch.size() < limit && !waiting.isEmpty() && (batch.isEmpty() || bytes + waiting.peekFirst().bytes() <= maxBytes)) {
            Parcel parcel = waiting.removeFirst();
            bytes += parcel.bytes();
            batch.add(parcel);
        }
        singly = Math.max(0, singly - 1);
        underWay = batch;
        return batch;
    }

    /** The batch is over, for good. */
    List<Parcel> finish() {
        List<Parcel> finished = underWay;
        underWay = List.of();
        failures = 0;
        trouble = null;
        return finished;
    }

    /** Puts a refused batch back to be sent parcel by parcel. */
    void splitUp() {
        for (int i = underWay.size() - 1; i >= 0; i--) {
            waiting.addFirst(underWay.get(i));
        }
        singly = underWay.size();
        underWay = List.of();
    }

    /** The batch under way has failed for now. @return how often in a row */
    int failed(String reason) {
        trouble = reason;
        return ++failures;
    }

    String trouble() {
        return trouble;
    }

    List<Parcel> underWay() {
        return underWay;
    }
}
