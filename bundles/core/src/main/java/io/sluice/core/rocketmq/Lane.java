package io.sluice.core.rocketmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * What waits for one queue and what is under way to it. One batch is under way at a time, which is what keeps the order. Guarded by the
 * sender's lock.
 */
final class Lane {

    /** Smaller batches than this are not tried when a broker takes none as large as the one before. */
    private static final int LEAST_BATCH_BYTES = 32 << 10;

    private final MessageQueue queue;
    private final ArrayDeque<Batch> waiting = new ArrayDeque<>();
    private Batch underWay;
    /** Whether somebody has the batch under way in hand; numbered, so that a late answer is not taken for that of a later attempt. */
    private boolean unanswered;
    private int attempt;
    private boolean lingering;
    private boolean abandoned;
    private int maxBatchBytes = Integer.MAX_VALUE;
    private int failures;
    private String trouble;

    Lane(MessageQueue queue) {
        this.queue = queue;
    }

    MessageQueue queue() {
        return queue;
    }

    /** Puts a message last. @return true if it did not fit into the batch that was open */
    boolean add(byte[] message, int from, int size, int hash, RecordSender.Listener listener, int maxBytes, int maxRecords) {
        Batch open = waiting.peekLast();
        boolean fits = open != null && open.hasRoom(size, Math.min(maxBytes, maxBatchBytes), maxRecords);
        if (!fits) {
            open = new Batch();
            waiting.addLast(open);
        }
        open.add(message, from, size, hash, listener);
        return !fits;
    }

    boolean isIdle() {
        return underWay == null && waiting.isEmpty();
    }

    /** True if a batch could go now. */
    boolean isReady() {
        return underWay == null && !waiting.isEmpty();
    }

    /** True if more than one batch waits, so that the first one is as full as it gets. */
    boolean hasFullBatch() {
        return waiting.size() > 1;
    }

    /** True once, until {@link #depart}: a batch that lingers is waited for by one timer. */
    boolean beginLinger() {
        boolean begun = !lingering;
        lingering = true;
        return begun;
    }

    /** Takes the batch that goes next, for a first attempt. Call when one is ready. */
    void depart() {
        lingering = false;
        underWay = waiting.removeFirst();
        beginAttempt();
    }

    Batch underWay() {
        return underWay;
    }

    /** From now on nothing happens to the batch under way until there is an answer. */
    void beginAttempt() {
        unanswered = true;
        attempt++;
    }

    int attempt() {
        return attempt;
    }

    /** There is an answer to an attempt. @return false if it is not waited for */
    boolean endAttempt(int number) {
        if (!unanswered || number != attempt) {
            return false;
        }
        unanswered = false;
        return true;
    }

    /** The batch under way is over, for good. */
    Batch finish() {
        Batch finished = underWay;
        underWay = null;
        failures = 0;
        trouble = null;
        return finished;
    }

    /** Puts the two halves of a refused batch back, to find out which of its messages is the bad one. */
    void halve() {
        Batch refused = underWay;
        int middle = refused.count() / 2;
        waiting.addFirst(refused.part(middle, refused.count()));
        waiting.addFirst(refused.part(0, middle));
        underWay = null;
    }

    /** The broker takes no batch as large as the one under way. */
    void shrinkBatches() {
        maxBatchBytes = Math.max(LEAST_BATCH_BYTES, underWay.length() / 2);
    }

    /** The attempt has failed for now. @return how many have in a row */
    int failed(String reason) {
        trouble = reason;
        return ++failures;
    }

    /** True if there is a batch to send again. */
    boolean awaitsRetry() {
        return underWay != null && !unanswered;
    }

    String trouble() {
        return trouble;
    }

    /** The queue is gone from its topic: what is in this lane goes elsewhere as soon as no answer is outstanding. */
    void abandon(boolean gone) {
        abandoned = gone;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    boolean isUnanswered() {
        return unanswered;
    }

    /** Takes everything out, in order. */
    List<Batch> withdraw() {
        List<Batch> all = new ArrayList<>();
        if (underWay != null) {
            all.add(underWay);
            underWay = null;
        }
        all.addAll(waiting);
        waiting.clear();
        trouble = null;
        return all;
    }
}
