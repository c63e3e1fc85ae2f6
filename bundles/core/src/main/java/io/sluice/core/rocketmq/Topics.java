package io.sluice.core.rocketmq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.constant.PermName;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.protocol.body.ClusterInfo;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.remoting.protocol.route.TopicRouteData;

/** The topics of the cluster: which there are, where their queues are, and new ones. Any thread. */
final class Topics {

    private static final Duration ROUTE_WAIT = Duration.ofSeconds(10);
    private static final long ROUTE_POLL_MS = 50;
    private static final Comparator<MessageQueue> ORDER =
        Comparator.comparing(MessageQueue::getBrokerName).thenComparingInt(MessageQueue::getQueueId);

    /** The queues of a topic, in a stable order: those that may be read, and those that may be written. */
    record Route(List<MessageQueue> readable, List<MessageQueue> writable) { }

    private final Connection connection;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletableFuture<Route>> underWay = new ConcurrentHashMap<>();

    Topics(Connection connection) {
        this.connection = connection;
    }

    /** Asks the name server. @throws RocketMqException also if the topic is missing; see {@link Failures#isMissingTopic} */
    Route route(String topic) {
        TopicRouteData route = Connection.call("look up topic '" + topic + "'",
            () -> connection.api().getTopicRouteInfoFromNameServer(topic, Connection.CALL_MS, false));
        connection.learn(route.getBrokerDatas());
        return new Route(sorted(MQClientInstance.topicRouteData2TopicSubscribeInfo(topic, route)),
            sorted(MQClientInstance.topicRouteData2TopicPublishInfo(topic, route).getMessageQueueList()));
    }

    private static List<MessageQueue> sorted(Collection<MessageQueue> queues) {
        return queues.stream().sorted(ORDER).toList();
    }

    /** Looks a topic up in the background, creating it if it is missing. Who asks while that is under way shares the answer. */
    CompletableFuture<Route> find(String topic, int queuesIfMissing) {
        CompletableFuture<Route> answer = new CompletableFuture<>();
        CompletableFuture<Route> other = underWay.putIfAbsent(topic, answer);
        if (other != null) {
            return other;
        }
        connection.soon(() -> {
            try {
                ensure(topic, queuesIfMissing);
                Route route = route(topic);
                underWay.remove(topic);
                answer.complete(route);
            } catch (RuntimeException e) {
                underWay.remove(topic);
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** Asks in the background where the brokers of a topic are now. */
    void refresh(String topic) {
        CompletableFuture<Route> answer = new CompletableFuture<>();
        if (underWay.putIfAbsent(topic, answer) == null) {
            connection.soon(() -> {
                try {
                    Route route = route(topic);
                    underWay.remove(topic);
                    answer.complete(route);
                } catch (RuntimeException e) {
                    underWay.remove(topic);
                    answer.completeExceptionally(e);
                }
            });
        }
    }

    /** Somebody found the topic missing although it had been there. */
    void forget(String topic) {
        known.remove(topic);
    }

    /** Creates the topic if it is missing, and waits until its route is known. */
    void ensure(String topic, int queues) {
        if (known.contains(topic)) {
            return;
        }
        TopicValidator.ValidateResult legal = TopicValidator.validateTopic(topic);
        if (!legal.isValid()) {
            throw new RocketMqException("'" + topic + "' cannot be a topic: " + firstLine(legal.getRemark()), false, null);
        }
        if (!exists(topic)) {
            create(topic, queues);
        }
        known.add(topic);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("").trim();
    }

    private boolean exists(String topic) {
        try {
            route(topic);
            return true;
        } catch (RocketMqException e) {
            if (Failures.isMissingTopic(e.getCause())) {
                return false;
            }
            throw e;
        }
    }

    private void create(String topic, int queues) {
        String what = "create topic '" + topic + "'";
        Map<String, String> masters = masters();
        if (masters.isEmpty()) {
            throw new RocketMqException("cannot " + what + ": no broker is registered at " + connection.namesrvAddr(), true, null);
        }
        int turn = 0;
        List<String> without = new ArrayList<>();
        for (Map.Entry<String, String> master : masters.entrySet()) {
            // A name server that has just started knows no topic of a broker that has not registered anew yet; creating such a topic
            // again would change its number of queues.
            if (!hasTopic(master.getValue(), topic)) {
                without.add(master.getValue());
            }
        }
        if (without.size() == masters.size()) {
            for (String address : without) {
                int share = queues / without.size() + (turn++ < queues % without.size() ? 1 : 0);
                if (share > 0) {
                    TopicConfig config = new TopicConfig(topic, share, share, PermName.PERM_READ | PermName.PERM_WRITE);
                    Connection.call(what, () -> {
                        connection.api().createTopic(address, TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC, config, Connection.CALL_MS);
                        return null;
                    });
                }
            }
        }
        long deadline = System.nanoTime() + ROUTE_WAIT.toNanos();
        while (!exists(topic)) {
            if (System.nanoTime() > deadline) {
                throw new RocketMqException("topic '" + topic + "' was created, but the name server does not know it after "
                    + ROUTE_WAIT.toSeconds() + " s", true, null);
            }
            Connection.call("wait for topic '" + topic + "'", () -> {
                Thread.sleep(ROUTE_POLL_MS);
                return null;
            });
        }
    }

    private boolean hasTopic(String address, String topic) {
        return Connection.call("look for topic '" + topic + "' at " + address, () -> {
            try {
                return connection.api().getTopicConfig(address, topic, Connection.CALL_MS) != null;
            } catch (MQBrokerException e) {
                if (Failures.isMissingTopic(e)) {
                    return false;
                }
                throw e;
            }
        });
    }

    /** The addresses of all masters by the names of their brokers. */
    Map<String, String> masters() {
        ClusterInfo cluster = Connection.call("list the brokers at " + connection.namesrvAddr(),
            () -> connection.api().getBrokerClusterInfo(Connection.CALL_MS));
        Map<String, String> masters = new TreeMap<>();
        if (cluster.getBrokerAddrTable() != null) {
            connection.learn(cluster.getBrokerAddrTable().values());
            for (BrokerData broker : cluster.getBrokerAddrTable().values()) {
                String master = broker.getBrokerAddrs().get(MixAll.MASTER_ID);
                if (master != null) {
                    masters.put(broker.getBrokerName(), master);
                }
            }
        }
        return masters;
    }

    /** The topics that are not RocketMQ's own; it has one for each of its clusters and brokers as well. */
    List<String> all() {
        Set<String> all = Connection.call("list the topics", () -> connection.api().getTopicListFromNameServer(Connection.CALL_MS)).getTopicList();
        Set<String> own = Connection.call("list the system's topics", () -> connection.api().getSystemTopicList(Connection.CALL_MS)).getTopicList();
        return all.stream().filter(topic -> !own.contains(topic) && !TopicValidator.isSystemTopic(topic)
                && !topic.startsWith(MixAll.RETRY_GROUP_TOPIC_PREFIX) && !topic.startsWith(MixAll.DLQ_GROUP_TOPIC_PREFIX))
            .sorted().toList();
    }
}
