package io.sluice.itests;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;

/** What can be had of RocketMQ's own client without anything around it: the yardstick of the benchmarks. */
final class RawClient implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int IN_FLIGHT = 8;

    /** The client stops pulling, for 50 ms each time, when this many messages wait in it; its defaults would keep it far below what it can do. */
    private static final int CACHED = 100_000;

    private final String namesrvAddr;
    /** For questions; started once, since a start takes longer than the question. */
    private final DefaultMQProducer questions;

    RawClient(String namesrvAddr) throws MQClientException {
        this.namesrvAddr = namesrvAddr;
        this.questions = producer("questions");
    }

    @Override
    public void close() {
        questions.shutdown();
    }

    /** Makes a topic and waits until the name server knows it. */
    void createTopic(String topic, int queues) throws Exception {
        // The first argument names a topic that is at every broker; the new one is made where that one is.
        questions.createTopic(TopicValidator.RMQ_SYS_SELF_TEST_TOPIC, topic, queues, Map.of());
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!isKnown(questions, topic, queues)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("topic '" + topic + "' was not made within " + LIMIT.toSeconds() + " s");
            }
            Thread.sleep(50);
        }
    }

    private static boolean isKnown(DefaultMQProducer producer, String topic, int queues) {
        try {
            return producer.fetchPublishMessageQueues(topic).size() == queues;
        } catch (MQClientException e) {
            return false;
        }
    }

    /** The number of messages that the queues of a topic hold. */
    long count(String topic) throws MQClientException {
        long count = 0;
        for (MessageQueue queue : questions.fetchPublishMessageQueues(topic)) {
            count += questions.maxOffset(queue) - questions.minOffset(queue);
        }
        return count;
    }

    /** Sends lines in batches of so many, eight batches in flight over all queues of the topic, and returns when all are acknowledged. */
    void send(String topic, List<String> lines, int batchSize) throws Exception {
        DefaultMQProducer producer = producer("send-" + topic);
        try {
            List<MessageQueue> queues = producer.fetchPublishMessageQueues(topic);
            Semaphore inFlight = new Semaphore(IN_FLIGHT);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            for (int i = 0, turn = 0; i < lines.size() && failure.get() == null; i += batchSize, turn++) {
                List<Message> batch = new ArrayList<>(batchSize);
                for (String line : lines.subList(i, Math.min(lines.size(), i + batchSize))) {
                    batch.add(new Message(topic, line.getBytes(StandardCharsets.UTF_8)));
                }
                acquire(inFlight, 1);
                producer.send(batch, queues.get(turn % queues.size()), new SendCallback() {
                    @Override
                    public void onSuccess(SendResult result) {
                        inFlight.release();
                    }

                    @Override
                    public void onException(Throwable e) {
                        failure.set(e);
                        inFlight.release();
                    }
                });
            }
            acquire(inFlight, IN_FLIGHT);
            if (failure.get() != null) {
                throw new IllegalStateException("a batch was lost", failure.get());
            }
        } finally {
            producer.shutdown();
        }
    }

    /** Sends lines to one queue in their order: a batch of so many is sent when the one before is acknowledged, or their order could change. */
    void sendInOrder(String topic, List<String> lines, int batchSize) throws Exception {
        DefaultMQProducer producer = producer("in-order-" + topic);
        try {
            MessageQueue queue = producer.fetchPublishMessageQueues(topic).get(0);
            for (int i = 0; i < lines.size(); i += batchSize) {
                List<Message> batch = new ArrayList<>(batchSize);
                for (String line : lines.subList(i, Math.min(lines.size(), i + batchSize))) {
                    batch.add(new Message(topic, line.getBytes(StandardCharsets.UTF_8)));
                }
                producer.send(batch, queue);
            }
        } finally {
            producer.shutdown();
        }
    }

    private static void acquire(Semaphore inFlight, int permits) throws InterruptedException {
        if (!inFlight.tryAcquire(permits, LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("no answer within " + LIMIT.toSeconds() + " s");
        }
    }

    /** Reads so many messages of a topic from its beginning. */
    void read(String topic, int count) throws Exception {
        DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("read-" + topic);
        consumer.setNamesrvAddr(namesrvAddr);
        consumer.setInstanceName("read-" + topic);
        consumer.setPullBatchSize(1_024);
        consumer.setPullThresholdForQueue(CACHED);
        consumer.setPullThresholdForAll(CACHED);
        consumer.setAutoCommit(false);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.start();
        try {
            consumer.assign(new ArrayList<>(consumer.fetchMessageQueues(topic)));
            long deadline = System.nanoTime() + LIMIT.toNanos();
            for (int read = 0; read < count;) {
                read += consumer.poll(1_000).size();
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(read + " of " + count + " read within " + LIMIT.toSeconds() + " s");
                }
            }
        } finally {
            consumer.shutdown();
        }
    }

    private DefaultMQProducer producer(String name) throws MQClientException {
        DefaultMQProducer producer = new DefaultMQProducer("benchmark");
        producer.setNamesrvAddr(namesrvAddr);
        producer.setInstanceName(name);
        producer.start();
        return producer;
    }
}
