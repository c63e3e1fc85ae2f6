package io.sluice.core.rocketmq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.exception.OffsetNotFoundException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.constant.PermName;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.remoting.protocol.route.QueueData;
import org.apache.rocketmq.remoting.protocol.route.TopicRouteData;

/**
 * {@link RocketMq} over RocketMQ's remoting client. One producer serves all tasks, one pull consumer each consumer group, and all of them
 * share one client instance with its network threads.
 */
public final class RemotingRocketMq implements RocketMq {

    private static final long CALL_MS = 5_000;
    private static final Duration ROUTE_WAIT = Duration.ofSeconds(10);
    private static final Duration ROUTE_POLL = Duration.ofMillis(50);

    /**
     * How to connect.
     *
     * @param namesrvAddr the name servers' addresses, separated by semicolons
     * @param clientName tells this client from others in the same process
     */
    public record Settings(String namesrvAddr, String clientName) {

        public Settings {
            Objects.requireNonNull(namesrvAddr, "namesrvAddr");
            Objects.requireNonNull(clientName, "clientName");
        }
    }

    private final Settings settings;
    private final DefaultMQProducer producer;
    private final MQClientInstance client;
    private final ScheduledExecutorService timer;
    private final Set<String> knownTopics = ConcurrentHashMap.newKeySet();
    private final Map<String, SharedConsumer> consumers = new HashMap<>();

    private RemotingRocketMq(Settings settings, DefaultMQProducer producer) {
        this.settings = settings;
        this.producer = producer;
        this.client = producer.getDefaultMQProducerImpl().getMqClientFactory();
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, action -> {
            Thread thread = new Thread(action, "sluice-rocketmq-timer");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        this.timer = executor;
    }

    /** Connects. @throws RocketMqException if no broker is registered at the name servers, or none can be reached */
    public static RemotingRocketMq open(Settings settings) {
        DefaultMQProducer producer = new DefaultMQProducer("sluice-" + settings.clientName().replaceAll("[^a-zA-Z0-9_-]", "_"));
        producer.setNamesrvAddr(settings.namesrvAddr());
        producer.setInstanceName(settings.clientName());
        producer.setVipChannelEnabled(false);
        producer.setSendMsgTimeout((int) CALL_MS);
        producer.setRetryTimesWhenSendFailed(0);
        // Sending again is the sender's own business: only it knows the order that must be kept.
        producer.setRetryTimesWhenSendAsyncFailed(0);
        producer.setCompressMsgBodyOverHowmuch(Integer.MAX_VALUE);
        producer.setMaxMessageSize(WireFormat.DEFAULT.maxBodyBytes() + (1 << 16));
        try {
            producer.start();
        } catch (MQClientException e) {
            producer.shutdown();
            throw Failures.of("start RocketMQ's client", e);
        }
        RemotingRocketMq opened = new RemotingRocketMq(settings, producer);
        try {
            if (opened.call("find a broker at " + settings.namesrvAddr(), () -> opened.api().getBrokerClusterInfo(CALL_MS)).getBrokerAddrTable().isEmpty()) {
                throw new RocketMqException("no broker is registered at " + settings.namesrvAddr(), true, null);
            }
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private MQClientAPIImpl api() {
        return client.getMQClientAPIImpl();
    }

    private <T> T call(String what, Callable<T> request) {
        try {
            return request.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RocketMqException("cannot " + what + ": interrupted", true, e);
        } catch (Exception e) {
            throw Failures.of(what, e);
        }
    }

    @Override
    public void ensureTopic(String topic, int queues) {
        if (knownTopics.contains(topic)) {
            return;
        }
        TopicValidator.ValidateResult legal = TopicValidator.validateTopic(topic);
        if (!legal.isValid()) {
            throw new RocketMqException("'" + topic + "' cannot be a topic: " + legal.getRemark(), false, null);
        }
        if (!exists(topic)) {
            create(topic, queues);
        }
        knownTopics.add(topic);
    }

    /** The topic was found to be missing although it had been there. */
    void forgetTopic(String topic) {
        knownTopics.remove(topic);
    }

    private boolean exists(String topic) {
        return call("look up topic '" + topic + "'", () -> {
            try {
                return api().getTopicRouteInfoFromNameServer(topic, CALL_MS, false) != null;
            } catch (MQClientException e) {
                if (Failures.isMissingTopic(e)) {
                    return false;
                }
                throw e;
            }
        });
    }

    private void create(String topic, int queues) {
        TopicConfig config = new TopicConfig(topic, queues, queues, PermName.PERM_READ | PermName.PERM_WRITE);
        call("create topic '" + topic + "'", () -> {
            for (BrokerData broker : api().getBrokerClusterInfo(CALL_MS).getBrokerAddrTable().values()) {
                String master = broker.getBrokerAddrs().get(MixAll.MASTER_ID);
                if (master != null) {
                    api().createTopic(master, TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC, config, CALL_MS);
                }
            }
            return null;
        });
        long deadline = System.nanoTime() + ROUTE_WAIT.toNanos();
        while (!exists(topic)) {
            if (System.nanoTime() > deadline) {
                throw new RocketMqException("topic '" + topic + "' was created, but the name server does not know it after "
                    + ROUTE_WAIT.toSeconds() + " s", true, null);
            }
            call("wait for topic '" + topic + "'", () -> {
                Thread.sleep(ROUTE_POLL.toMillis());
                return null;
            });
        }
    }

    @Override
    public List<MessageQueue> queues(String topic) {
        TopicRouteData route = call("look up topic '" + topic + "'", () -> api().getTopicRouteInfoFromNameServer(topic, CALL_MS));
        List<MessageQueue> queues = new ArrayList<>();
        for (QueueData data : route.getQueueDatas()) {
            boolean hasMaster = route.getBrokerDatas().stream()
                .anyMatch(broker -> broker.getBrokerName().equals(data.getBrokerName()) && broker.getBrokerAddrs().containsKey(MixAll.MASTER_ID));
            for (int id = 0; hasMaster && id < Math.max(data.getReadQueueNums(), data.getWriteQueueNums()); id++) {
                queues.add(new MessageQueue(topic, data.getBrokerName(), id));
            }
        }
        queues.sort(Comparator.comparing(MessageQueue::getBrokerName).thenComparingInt(MessageQueue::getQueueId));
        return queues;
    }

    @Override
    public List<String> topics() {
        return call("list the topics", () -> api().getTopicListFromNameServer(CALL_MS)).getTopicList().stream()
            .filter(topic -> !TopicValidator.isSystemTopic(topic) && !topic.startsWith(MixAll.RETRY_GROUP_TOPIC_PREFIX)
                && !topic.startsWith(MixAll.DLQ_GROUP_TOPIC_PREFIX))
            .sorted().toList();
    }

    @Override
    public RecordSender sender(String owner, SenderSettings senderSettings) {
        return new LaneSender(owner, senderSettings, this, producer, timer);
    }

    @Override
    public QueueReader reader(String owner, String group, ReaderSettings readerSettings) {
        SharedConsumer shared = consumer(group);
        return new PullReader(owner, readerSettings, shared.consumer, timer, () -> release(group));
    }

    /** The pull consumer of one group, kept as long as somebody reads with it. */
    private static final class SharedConsumer {
        private final DefaultMQPullConsumer consumer;
        private int users;

        private SharedConsumer(DefaultMQPullConsumer consumer) {
            this.consumer = consumer;
        }
    }

    private SharedConsumer consumer(String group) {
        synchronized (consumers) {
            SharedConsumer shared = consumers.get(group);
            if (shared == null) {
                DefaultMQPullConsumer consumer = new DefaultMQPullConsumer(group);
                consumer.setNamesrvAddr(settings.namesrvAddr());
                consumer.setInstanceName(settings.clientName());
                consumer.setVipChannelEnabled(false);
                call("start reading as group '" + group + "'", () -> {
                    consumer.start();
                    return null;
                });
                shared = new SharedConsumer(consumer);
                consumers.put(group, shared);
            }
            shared.users++;
            return shared;
        }
    }

    private void release(String group) {
        synchronized (consumers) {
            SharedConsumer shared = consumers.get(group);
            if (shared != null && --shared.users == 0) {
                consumers.remove(group);
                shared.consumer.shutdown();
            }
        }
    }

    private String broker(MessageQueue queue) throws MQClientException {
        String address = client.findBrokerAddressInPublish(queue.getBrokerName());
        if (address == null) {
            client.updateTopicRouteInfoFromNameServer(queue.getTopic());
            address = client.findBrokerAddressInPublish(queue.getBrokerName());
        }
        if (address == null) {
            throw new MQClientException("broker '" + queue.getBrokerName() + "' has no address at " + settings.namesrvAddr(), null);
        }
        return address;
    }

    @Override
    public Map<MessageQueue, Long> committed(String group, List<MessageQueue> queues) {
        Map<MessageQueue, Long> offsets = new HashMap<>();
        for (MessageQueue queue : queues) {
            QueryConsumerOffsetRequestHeader header = new QueryConsumerOffsetRequestHeader();
            header.setConsumerGroup(group);
            header.setTopic(queue.getTopic());
            header.setQueueId(queue.getQueueId());
            header.setBrokerName(queue.getBrokerName());
            // Otherwise a queue that was never read has the offset 0, which cannot be told from one that was committed.
            header.setSetZeroIfNotFound(false);
            long offset = call("read the offset of group '" + group + "' in " + queue, () -> {
                try {
                    return api().queryConsumerOffset(broker(queue), header, CALL_MS);
                } catch (OffsetNotFoundException e) {
                    return -1L;
                }
            });
            if (offset >= 0) {
                offsets.put(queue, offset);
            }
        }
        return offsets;
    }

    @Override
    public void commit(String group, Map<MessageQueue, Long> offsets) {
        offsets.forEach((queue, offset) -> {
            UpdateConsumerOffsetRequestHeader header = new UpdateConsumerOffsetRequestHeader();
            header.setConsumerGroup(group);
            header.setTopic(queue.getTopic());
            header.setQueueId(queue.getQueueId());
            header.setBrokerName(queue.getBrokerName());
            header.setCommitOffset(offset);
            call("commit offset " + offset + " of group '" + group + "' in " + queue, () -> {
                api().updateConsumerOffset(broker(queue), header, CALL_MS);
                return null;
            });
        });
    }

    @Override
    public Range range(MessageQueue queue) {
        return call("look up the offsets of " + queue, () -> {
            String address = broker(queue);
            return new Range(api().getMinOffset(address, queue, CALL_MS), api().getMaxOffset(address, queue, CALL_MS));
        });
    }

    @Override
    public void close() {
        timer.shutdownNow();
        synchronized (consumers) {
            consumers.values().forEach(shared -> shared.consumer.shutdown());
            consumers.clear();
        }
        producer.shutdown();
        try {
            timer.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
