package io.sluice.core.worker;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.AsyncErrorReporter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * What happens to records that a sink could not handle: those that the runtime could not convert, and those that the task reports.
 * Belongs to the task's thread, but that a task may report from threads of its own while it is in a call.
 */
final class SinkErrors implements AsyncErrorReporter {

    private final ErrorPolicy policy;
    private final Optional<DeadLetters> deadLetters;
    /** The messages of the batch that the task has in hand, by place: a report names a record, the dead-letter queue wants its bytes. */
    private final Map<MessageQueue, Map<Long, MessageExt>> inHand = new HashMap<>();

    SinkErrors(ErrorPolicy policy, Optional<DeadLetters> deadLetters) {
        this.policy = policy;
        this.deadLetters = deadLetters;
    }

    /** Remembers the messages of the next put. */
    synchronized void takeInHand(List<MessageExt> batch) {
        if (!policy.tolerant() || deadLetters.isEmpty()) {
            return;
        }
        inHand.clear();
        for (MessageExt message : batch) {
            inHand.computeIfAbsent(queueOf(message), unused -> new HashMap<>()).put(message.getQueueOffset(), message);
        }
    }

    /** Decides about a record that the runtime could not convert. @throws TaskFailure if errors are not tolerated */
    void conversionFailed(MessageExt message, RecordFailure failure) throws TaskFailure {
        policy.skipOrFail(failure, placeOf(message), message);
        deadLetters.ifPresent(letters -> letters.send(message, failure.stage(), failure.getCause()));
    }

    @Override
    public void report(ConnectRecord record, Throwable error) {
        reportAsync(record, error);
    }

    @Override
    public synchronized CompletionStage<Void> reportAsync(ConnectRecord record, Throwable error) {
        MessageQueue queue = QueuePlaces.queue(record.getPosition().getPartition());
        long offset = QueuePlaces.queueOffset(record.getPosition().getOffset());
        String place = place(queue, offset);
        try {
            policy.skipOrFail(new RecordFailure(Stage.TASK_PUT, error), place, record);
        } catch (TaskFailure e) {
            throw new ConnectException(e.getMessage(), e.getCause());
        }
        if (deadLetters.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        MessageExt message = inHand.getOrDefault(queue, Map.of()).get(offset);
        if (message == null) {
            throw new ConnectException(place + " was reported after its batch; a task must report a record before the next put or commit");
        }
        return deadLetters.get().send(message, Stage.TASK_PUT, error);
    }

    static MessageQueue queueOf(MessageExt message) {
        return new MessageQueue(message.getTopic(), message.getBrokerName(), message.getQueueId());
    }

    private static String placeOf(MessageExt message) {
        return place(queueOf(message), message.getQueueOffset());
    }

    private static String place(MessageQueue queue, long offset) {
        return "topic '" + queue.getTopic() + "', broker '" + queue.getBrokerName() + "', queue " + queue.getQueueId() + ", offset " + offset;
    }
}
