package io.sluice.core.worker;

import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.sluice.spi.RecordNames;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.rocketmq.common.message.MessageQueue;

/** Translates between RocketMQ's queues and offsets and the maps in which the OpenMessaging API speaks of them. */
final class QueuePlaces {

    /** Built once for each queue: a sink task sees the same object in every record of a queue. */
    private final Map<MessageQueue, RecordPartition> partitions = new HashMap<>();

    RecordPartition partition(MessageQueue queue) {
        return partitions.computeIfAbsent(queue, q -> new RecordPartition(Map.of(
            RecordNames.TOPIC, q.getTopic(),
            RecordNames.BROKER_NAME, q.getBrokerName(),
            RecordNames.QUEUE_ID, Integer.toString(q.getQueueId()))));
    }

    static RecordOffset offset(long queueOffset) {
        return new RecordOffset(Map.of(RecordNames.QUEUE_OFFSET, Long.toString(queueOffset)));
    }

    /** @throws IllegalArgumentException if the maps do not name a queue and an offset */
    static MessageQueue queue(RecordPartition partition) {
        Map<String, ?> map = partition.getPartition();
        try {
            return new MessageQueue(text(map, RecordNames.TOPIC), text(map, RecordNames.BROKER_NAME),
                Integer.parseInt(text(map, RecordNames.QUEUE_ID)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a queue: " + map, e);
        }
    }

    static long queueOffset(RecordOffset offset) {
        try {
            return Long.parseLong(text(offset.getOffset(), RecordNames.QUEUE_OFFSET));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a queue offset: " + offset.getOffset(), e);
        }
    }

    private static String text(Map<String, ?> map, String key) {
        Object value = map.get(key);
        if (value == null) {
            throw new IllegalArgumentException("'" + key + "' is missing in " + map);
        }
        return value.toString();
    }

    /** The positions by queue, such as {@code orders at b: 0 from 17, 1 from 4}. */
    static String text(Map<MessageQueue, Long> positions) {
        return positions.entrySet().stream().sorted(Map.Entry.comparingByKey())
            .collect(Collectors.groupingBy(entry -> entry.getKey().getTopic() + " at " + entry.getKey().getBrokerName(), TreeMap::new,
                Collectors.mapping(entry -> entry.getKey().getQueueId() + " from " + entry.getValue(), Collectors.joining(", "))))
            .entrySet().stream().map(topic -> topic.getKey() + ": " + topic.getValue()).collect(Collectors.joining("; "));
    }
}
