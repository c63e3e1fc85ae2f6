package io.sluice.core.rocketmq;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.rocketmq.common.message.MessageQueue;

/** {@link RocketMq} over RocketMQ's remoting protocol. All tasks share one connection to each broker, and its network threads. */
public final class RemotingRocketMq implements RocketMq {

    /** How long a broker may be gone from a topic's route before what waits for its queues goes to the others. */
    private static final Duration LOST_QUEUE_PATIENCE = Duration.ofSeconds(60);

    /**
     * How to connect.
     *
     * @param namesrvAddr the name servers' addresses, separated by semicolons
     * @param clientName tells this client from others on the same host
     */
    public record Settings(String namesrvAddr, String clientName) {

        public Settings {
            Objects.requireNonNull(namesrvAddr, "namesrvAddr");
            Objects.requireNonNull(clientName, "clientName");
        }
    }

    private final Connection connection;
    private final Topics topics;
    private final ConsumerGroups groups;
    private final GroupOffsets offsets;

    private RemotingRocketMq(Settings settings) {
        this.connection = new Connection(settings);
        this.topics = new Topics(connection);
        this.groups = new ConsumerGroups(connection);
        this.offsets = new GroupOffsets(connection, topics, groups);
    }

    /** Connects. @throws RocketMqException if no broker is registered at the name servers, or none can be reached */
    public static RemotingRocketMq open(Settings settings) {
        RemotingRocketMq opened = new RemotingRocketMq(settings);
        try {
            if (opened.topics.masters().isEmpty()) {
                throw new RocketMqException("no broker is registered at " + settings.namesrvAddr(), true, null);
            }
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    @Override
    public void ensureTopic(String topic, int queues) {
        topics.ensure(topic, queues);
    }

    @Override
    public List<MessageQueue> queues(String topic) {
        return topics.route(topic).readable();
    }

    @Override
    public List<String> topics() {
        return topics.all();
    }

    @Override
    public RecordSender sender(String owner, SenderSettings settings) {
        return new LaneSender(owner, settings, connection, topics, LOST_QUEUE_PATIENCE);
    }

    @Override
    public QueueReader reader(String owner, String group, ReaderSettings settings) {
        return new PullReader(owner, group, settings, connection, topics, groups);
    }

    @Override
    public Map<MessageQueue, Long> committed(String group, List<MessageQueue> queues) {
        return offsets.committed(group, queues);
    }

    @Override
    public void commit(String group, Map<MessageQueue, Long> positions) {
        offsets.commit(group, positions);
    }

    @Override
    public void forgetGroup(String group) {
        offsets.forget(group);
    }

    @Override
    public LogTopic log(String topic) {
        return new RemotingLogTopic(topic, connection, topics, groups);
    }

    @Override
    public Range range(MessageQueue queue) {
        String address = offsets.address(queue);
        return Connection.call("look up the offsets of " + queue, () -> new Range(
            connection.api().getMinOffset(address, queue, Connection.CALL_MS), connection.api().getMaxOffset(address, queue, Connection.CALL_MS)));
    }

    @Override
    public void close() {
        groups.close();
        connection.close();
    }
}
