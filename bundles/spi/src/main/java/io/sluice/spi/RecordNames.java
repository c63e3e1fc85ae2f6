package io.sluice.spi;

import io.openmessaging.connector.api.data.ConnectRecord;
import java.util.Optional;

/**
 * The names under which the runtime and a plugin speak about a record's place: keys of a sink record's partition and offset maps, and
 * extensions with a meaning. They are those of Apache RocketMQ Connect, so that its connectors find what they look for.
 *
 * @see <a href="https://github.com/apache/rocketmq-connect">Apache RocketMQ Connect, rocketmq-connect-runtime</a>
 */
public final class RecordNames {

    /** Sink partition key: the topic, a String. */
    public static final String TOPIC = "topic";
    /** Sink partition key: the broker's name, a String. */
    public static final String BROKER_NAME = "brokerName";
    /** Sink partition key: the number of the queue, a String of decimal digits. */
    public static final String QUEUE_ID = "queueId";
    /** Sink offset key: the record's offset in its queue, a String of decimal digits. */
    public static final String QUEUE_OFFSET = "queueOffset";
    /** Extension of a source record: the topic it goes to, in place of the connector's own. */
    public static final String TOPIC_EXTENSION = "topic";

    private RecordNames() {
    }

    /**
     * The topic of a record: the one that {@link #TOPIC_EXTENSION} names, which a transform may have put there; else the one that a sink
     * record was read from. Empty for a source record that goes to its connector's topic and does not say so.
     */
    public static Optional<String> topicOf(ConnectRecord record) {
        String extension = record.getExtension(TOPIC_EXTENSION);
        if (extension != null) {
            return Optional.of(extension);
        }
        if (record.getPosition() == null || record.getPosition().getPartition() == null) {
            return Optional.empty();
        }
        var partition = record.getPosition().getPartition().getPartition();
        return partition != null && partition.get(BROKER_NAME) != null && partition.get(TOPIC) instanceof String topic
            ? Optional.of(topic) : Optional.empty();
    }
}
