package io.sluice.core.worker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/** Spreads the queues of a sink connector's topics over its tasks: every queue has one owner, and shares differ by one queue at most. */
final class QueueShare {

    private static final Comparator<MessageQueue> ORDER = Comparator.comparing(MessageQueue::getTopic)
        .thenComparing(MessageQueue::getBrokerName).thenComparingInt(MessageQueue::getQueueId);

    private QueueShare() {
    }

    /** The queues of task {@code id} of {@code taskCount}. */
    static List<MessageQueue> of(List<MessageQueue> queues, int id, int taskCount) {
        List<MessageQueue> ordered = new ArrayList<>(queues);
        ordered.sort(ORDER);
        List<MessageQueue> share = new ArrayList<>();
        for (int i = id; i < ordered.size(); i += taskCount) {
            share.add(ordered.get(i));
        }
        return share;
    }
}
