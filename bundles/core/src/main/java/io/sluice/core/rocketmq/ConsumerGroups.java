package io.sluice.core.rocketmq;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.remoting.protocol.filter.FilterAPI;
import org.apache.rocketmq.remoting.protocol.heartbeat.ConsumeType;
import org.apache.rocketmq.remoting.protocol.heartbeat.ConsumerData;
import org.apache.rocketmq.remoting.protocol.heartbeat.HeartbeatData;
import org.apache.rocketmq.remoting.protocol.heartbeat.MessageModel;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the brokers informed that this worker reads as certain consumer groups, so that RocketMQ's tools list its connection and show
 * the groups' progress. A group is known once, however many readers there are. Any thread.
 */
final class ConsumerGroups implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerGroups.class);
    /** RocketMQ forgets a member after 120 s of silence. */
    private static final long INTERVAL_MS = 30_000;
    private static final String EVERYTHING = "*";

    private final Connection connection;
    /** The topics of every reader, by group. */
    private final Map<String, Map<Object, Set<String>>> groups = new HashMap<>();
    private boolean beating;
    private boolean asked;
    private boolean closed;

    ConsumerGroups(Connection connection) {
        this.connection = connection;
    }

    /** A reader of a group reads these topics, from now on. */
    void join(String group, Object reader, Set<String> topics) {
        synchronized (this) {
            if (closed) {
                return;
            }
            groups.computeIfAbsent(group, unused -> new IdentityHashMap<>()).put(reader, Set.copyOf(topics));
            if (!beating) {
                beating = true;
                connection.later(this::again, INTERVAL_MS);
            }
        }
        tell();
    }

    /** A reader has gone; with the last one of a group the brokers are told that. */
    void leave(String group, Object reader) {
        synchronized (this) {
            Map<Object, Set<String>> readers = groups.get(group);
            if (readers == null || readers.remove(reader) == null || !readers.isEmpty()) {
                return;
            }
            groups.remove(group);
        }
        connection.soon(() -> connection.addresses().forEach(address -> unregister(address, group)));
    }

    private void unregister(String address, String group) {
        try {
            connection.api().unregisterClient(address, connection.clientId(), null, group, Connection.CALL_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            // It notices by itself when the heartbeats or the connection end.
            LOG.debug("{} was not told that group '{}' is no longer read here", address, group, e);
        }
    }

    private void again() {
        synchronized (this) {
            if (closed || groups.isEmpty()) {
                beating = false;
                return;
            }
        }
        connection.later(this::again, INTERVAL_MS);
        tell();
    }

    /** Tells the brokers in the background; calls in quick succession make one heartbeat. */
    void tell() {
        synchronized (this) {
            if (closed || asked) {
                return;
            }
            asked = true;
        }
        connection.soon(this::beat);
    }

    private void beat() {
        HeartbeatData data = new HeartbeatData();
        data.setClientID(connection.clientId());
        synchronized (this) {
            asked = false;
            groups.forEach((group, readers) -> data.getConsumerDataSet().add(consumer(group, readers)));
        }
        if (data.getConsumerDataSet().isEmpty()) {
            return;
        }
        for (String address : connection.addresses()) {
            try {
                connection.api().sendHeartbeat(address, data, Connection.CALL_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Exception e) {
                // The readers say what is wrong with a broker; a missing heartbeat hurts nobody but the tools.
                LOG.debug("{} got no heartbeat", address, e);
            }
        }
    }

    private static ConsumerData consumer(String group, Map<Object, Set<String>> readers) {
        ConsumerData consumer = new ConsumerData();
        consumer.setGroupName(group);
        consumer.setConsumeType(ConsumeType.CONSUME_ACTIVELY);
        consumer.setMessageModel(MessageModel.CLUSTERING);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        Set<String> topics = new TreeSet<>();
        readers.values().forEach(topics::addAll);
        for (String topic : topics) {
            try {
                var subscription = FilterAPI.buildSubscriptionData(topic, EVERYTHING);
                // The time of its making would make every heartbeat a change.
                subscription.setSubVersion(0);
                consumer.getSubscriptionDataSet().add(subscription);
            } catch (Exception e) {
                throw new IllegalStateException("'*' is always a valid filter", e);
            }
        }
        return consumer;
    }

    /** Creates a group where brokers do not do so by themselves. */
    void create(String group, List<String> addresses) {
        SubscriptionGroupConfig config = new SubscriptionGroupConfig();
        config.setGroupName(group);
        for (String address : addresses) {
            Connection.call("create consumer group '" + group + "' at " + address, () -> {
                connection.api().createSubscriptionGroup(address, config, Connection.CALL_MS);
                return null;
            });
        }
    }

    /** Removes a group with its offsets from all brokers. */
    void forget(String group) {
        for (String address : connection.addresses()) {
            Connection.call("forget consumer group '" + group + "' at " + address, () -> {
                connection.api().deleteSubscriptionGroup(address, group, true, Connection.CALL_MS);
                return null;
            });
        }
    }

    @Override
    public void close() {
        List<String> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(groups.keySet());
            groups.clear();
        }
        for (String group : left) {
            connection.addresses().forEach(address -> unregister(address, group));
        }
    }
}
