package io.sluice.core.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rocketmq.testing.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class QueueReaderTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static TestBroker broker;
    private static RemotingRocketMq rocketMq;

    @BeforeAll
    static void open() {
        broker = TestBroker.shared();
        rocketMq = Sent.open(broker.namesrvAddr(), "reader-test");
    }

    @AfterAll
    static void close() {
        rocketMq.close();
    }

    private static RocketMq.ReaderSettings settings() {
        return new RocketMq.ReaderSettings(100, 1 << 20);
    }

    /** A topic with messages 0, 1, 2, … in each of its queues. */
    private static List<MessageQueue> filled(String topic, int queues, int messages, int bytes) throws InterruptedException {
        rocketMq.ensureTopic(topic, queues);
        fill(topic, queues, 0, messages, bytes);
        return rocketMq.queues(topic);
    }

    private static void fill(String topic, int queues, int from, int to, int bytes) throws InterruptedException {
        Sent sent = new Sent();
        try (RecordSender sender = rocketMq.sender("fill", Sent.settings())) {
            for (int i = from; i < to; i++) {
                for (int queue = 0; queue < queues; queue++) {
                    assertThat(sender.awaitCapacity(LONG)).isTrue();
                    sender.send(Sent.message(topic, i + "x".repeat(bytes)), queue, sent.listener(queue + ":" + i));
                }
            }
            assertThat(sender.flush(LONG)).isTrue();
        }
        assertThat(sent.refused).isEmpty();
    }

    private static Map<MessageQueue, Long> at(List<MessageQueue> queues, long offset) {
        Map<MessageQueue, Long> offsets = new HashMap<>();
        queues.forEach(queue -> offsets.put(queue, offset));
        return offsets;
    }

    private static List<MessageExt> poll(QueueReader reader, int count) throws InterruptedException {
        List<MessageExt> messages = new ArrayList<>();
        long deadline = System.nanoTime() + LONG.toNanos();
        while (messages.size() < count) {
            assertThat(System.nanoTime()).as("%s of %s came; %s", messages.size(), count, reader.trouble()).isLessThan(deadline);
            messages.addAll(reader.poll(Duration.ofMillis(100)));
        }
        return messages;
    }

    private static List<Long> offsets(List<MessageExt> messages) {
        return messages.stream().map(MessageExt::getQueueOffset).toList();
    }

    private static List<Long> range(long from, long to) {
        return java.util.stream.LongStream.range(from, to).boxed().toList();
    }

    @Test
    void readsEveryQueueInOrderAndFairly() throws Exception {
        List<MessageQueue> queues = filled("fair", 4, 2_000, 0);
        try (QueueReader reader = rocketMq.reader("test", "fair-group", settings())) {
            assertThat(reader.poll(Duration.ofMillis(10))).isEmpty();
            reader.assign(at(queues, 0));
            Map<Integer, Long> next = new HashMap<>();
            int batches = 0;
            for (int read = 0; read < 8_000; batches++) {
                List<MessageExt> batch = reader.poll(Duration.ofSeconds(5));
                assertThat(batch).hasSizeBetween(1, 100);
                for (MessageExt message : batch) {
                    assertThat(message.getQueueOffset()).isEqualTo(next.getOrDefault(message.getQueueId(), 0L));
                    assertThat(message.getBrokerName()).isEqualTo(broker.brokerName());
                    assertThat(message.getTopic()).isEqualTo("fair");
                    next.put(message.getQueueId(), message.getQueueOffset() + 1);
                }
                read += batch.size();
                if (batches == 40) {
                    // No queue is left far behind.
                    assertThat(next).hasSize(4);
                    assertThat(next.values()).allMatch(offset -> offset > 200);
                }
            }
            assertThat(reader.poll(Duration.ofMillis(200))).isEmpty();
        }
    }

    @Test
    void wakesUpWhenAMessageComes() throws Exception {
        List<MessageQueue> queues = filled("waking", 1, 1, 0);
        try (QueueReader reader = rocketMq.reader("test", "waking-group", settings())) {
            reader.assign(at(queues, 1));
            assertThat(reader.poll(Duration.ofMillis(500))).isEmpty();
            List<Long> waited = new ArrayList<>();
            for (int i = 1; i <= 10; i++) {
                fill("waking", 1, i, i + 1, 0);
                long began = System.nanoTime();
                assertThat(offsets(reader.poll(Duration.ofSeconds(10)))).containsExactly((long) i);
                waited.add((System.nanoTime() - began) / 1_000_000);
            }
            assertThat(waited.stream().sorted().toList().get(5)).isLessThan(500);
        }
    }

    @Test
    void goesOnWhereItIsTold() throws Exception {
        List<MessageQueue> queues = filled("seeking", 2, 1_000, 0);
        try (QueueReader reader = rocketMq.reader("test", "seeking-group", settings())) {
            reader.assign(at(queues, 0));
            poll(reader, 300);
            reader.seek(queues.get(0), 900);
            reader.seek(queues.get(1), 950);
            List<MessageExt> rest = poll(reader, 150);
            assertThat(offsets(rest.stream().filter(message -> message.getQueueId() == 0).toList())).isEqualTo(range(900, 1_000));
            assertThat(offsets(rest.stream().filter(message -> message.getQueueId() == 1).toList())).isEqualTo(range(950, 1_000));
            assertThatThrownBy(() -> reader.seek(new MessageQueue("other", "b", 0), 1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void takesExactlyTheAssignedQueuesAndLeavesTheOthersAlone() throws Exception {
        List<MessageQueue> queues = filled("assigning", 3, 500, 0);
        try (QueueReader reader = rocketMq.reader("test", "assigning-group", settings())) {
            reader.assign(Map.of(queues.get(0), 0L, queues.get(1), 0L));
            Map<Integer, Long> next = new HashMap<>();
            poll(reader, 300).forEach(message -> next.put(message.getQueueId(), message.getQueueOffset() + 1));
            assertThat(next).doesNotContainKey(2);
            // The one that stays goes on where it is, whatever offset is named; the new one starts at its own.
            reader.assign(Map.of(queues.get(1), 7L, queues.get(2), 400L));
            long position = next.getOrDefault(1, 0L);
            List<MessageExt> rest = poll(reader, (int) (500 - position) + 100);
            assertThat(offsets(rest.stream().filter(message -> message.getQueueId() == 1).toList())).isEqualTo(range(position, 500));
            assertThat(offsets(rest.stream().filter(message -> message.getQueueId() == 2).toList())).isEqualTo(range(400, 500));
            assertThat(rest).noneMatch(message -> message.getQueueId() == 0);
            reader.assign(Map.of());
            assertThat(reader.poll(Duration.ofMillis(200))).isEmpty();
        }
    }

    @Test
    void returnsNothingOfPausedQueues() throws Exception {
        List<MessageQueue> queues = filled("pausing", 2, 500, 0);
        try (QueueReader reader = rocketMq.reader("test", "pausing-group", settings())) {
            reader.assign(at(queues, 0));
            int before = poll(reader, 100).size();
            reader.pause(List.of(queues.get(0)));
            List<MessageExt> some = new ArrayList<>();
            for (List<MessageExt> batch; !(batch = reader.poll(Duration.ofMillis(300))).isEmpty();) {
                some.addAll(batch);
            }
            assertThat(some).isNotEmpty().noneMatch(message -> message.getQueueId() == 0);
            reader.resume(queues);
            assertThat(poll(reader, 1_000 - before - some.size())).allMatch(message -> message.getQueueId() == 0);
        }
    }

    /** Whatever is done to a reader in whatever order, a queue never skips or repeats a message by itself. */
    @Test
    void neverMixesUpPositionsUnderRandomOrders() throws Exception {
        List<MessageQueue> queues = filled("random-orders", 4, 3_000, 0);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        AtomicBoolean done = new AtomicBoolean();
        Map<MessageQueue, Long> next = new HashMap<>();
        try (QueueReader reader = rocketMq.reader("test", "random-group", new RocketMq.ReaderSettings(50, 20_000))) {
            long until = System.nanoTime() + Duration.ofSeconds(4).toNanos();
            while (System.nanoTime() < until && !done.get()) {
                switch (random.nextInt(12)) {
                    case 0 -> {
                        Map<MessageQueue, Long> assignment = new HashMap<>();
                        queues.stream().filter(queue -> random.nextBoolean()).forEach(queue ->
                            assignment.put(queue, next.containsKey(queue) ? next.get(queue) : (long) random.nextInt(3_000)));
                        reader.assign(assignment);
                        next.keySet().retainAll(assignment.keySet());
                        assignment.forEach(next::putIfAbsent);
                    }
                    case 1 -> next.keySet().stream().findAny().ifPresent(queue -> {
                        next.put(queue, (long) random.nextInt(3_000));
                        reader.seek(queue, next.get(queue));
                    });
                    case 2 -> reader.pause(queues.subList(0, random.nextInt(5)));
                    case 3 -> reader.resume(queues);
                    default -> reader.poll(Duration.ofMillis(random.nextInt(20))).forEach(message -> {
                        MessageQueue queue = new MessageQueue(message.getTopic(), message.getBrokerName(), message.getQueueId());
                        assertThat(message.getQueueOffset()).as("%s, seed %s", queue, seed).isEqualTo(next.get(queue));
                        next.put(queue, message.getQueueOffset() + 1);
                    });
                }
            }
        }
    }

    @Test
    void pullsAheadOnlyAsMuchAsItMay() throws Exception {
        List<MessageQueue> queues = filled("bounded", 4, 400, 10_000);
        try (PullReader reader = (PullReader) rocketMq.reader("test", "bounded-group", new RocketMq.ReaderSettings(10, 500_000))) {
            reader.assign(at(queues, 0));
            await().atMost(LONG).until(() -> reader.bufferedBytes() >= 500_000);
            long last = -1;
            while (last != reader.bufferedBytes()) {
                last = reader.bufferedBytes();
                Thread.sleep(300);
            }
            // By one pull of each queue at most, and a pull brings no more than 256 KiB here.
            assertThat(last).isBetween(500_000L, 500_000L + 4 * (256L << 10));
            assertThat(poll(reader, 1_600)).hasSize(1_600);
            assertThat(reader.bufferedBytes()).isZero();
        }
    }

    @Test
    void goesOnAtTheOldestMessageWhenRocketMqHasDeletedWhatWasToBeRead() throws Exception {
        try (TestBroker own = TestBroker.start("mappedFileSizeCommitLog=1048576"); RemotingRocketMq other = Sent.open(own.namesrvAddr(), "retention")) {
            other.ensureTopic("retention", 1);
            MessageQueue queue = other.queues("retention").get(0);
            Sent sent = new Sent();
            try (RecordSender sender = other.sender("test", new RocketMq.SenderSettings(64 << 10, 10, Duration.ZERO, 8 << 20, 1))) {
                for (int i = 0; i < 500; i++) {
                    sender.send(Sent.message("retention", i + "x".repeat(10_000)), 0, sent.listener("" + i));
                }
                assertThat(sender.flush(LONG)).isTrue();
            }
            own.kill();
            own.deleteOldestMessages(2);
            own.restart();
            await().atMost(LONG).ignoreExceptions().until(() -> other.range(queue).min() > 100);
            long min = other.range(queue).min();
            try (QueueReader reader = other.reader("test", "retention-group", settings())) {
                reader.assign(Map.of(queue, 7L));
                assertThat(offsets(poll(reader, (int) (500 - min)))).isEqualTo(range(min, 500));
            }
        }
    }

    @Test
    void goesOnAtTheEndWhenTheQueueEndsBeforeTheOffset() throws Exception {
        List<MessageQueue> queues = filled("beyond", 1, 10, 0);
        try (QueueReader reader = rocketMq.reader("test", "beyond-group", settings())) {
            reader.assign(at(queues, 5_000));
            await().atMost(LONG).untilAsserted(() -> assertThat(reader.trouble()).hasValueSatisfying(
                trouble -> assertThat(trouble).contains("10").contains("5000")));
            assertThat(reader.poll(Duration.ofMillis(100))).isEmpty();
            await().atMost(LONG).until(() -> reader.trouble().isEmpty());
            fill("beyond", 1, 10, 12, 0);
            assertThat(offsets(poll(reader, 2))).containsExactly(10L, 11L);
        }
    }

    @Test
    void readsWhatRocketMqsOwnProducerHasWritten() throws Exception {
        rocketMq.ensureTopic("foreign", 1);
        DefaultMQProducer producer = new DefaultMQProducer("foreign");
        producer.setNamesrvAddr(broker.namesrvAddr());
        producer.setInstanceName("foreign");
        producer.setCompressMsgBodyOverHowmuch(1_000);
        producer.start();
        try {
            Message plain = new Message("foreign", "tag", "key", "plain".getBytes());
            plain.putUserProperty("a", "b");
            producer.send(plain);
            producer.send(new Message("foreign", "y".repeat(5_000).getBytes()));
        } finally {
            producer.shutdown();
        }
        try (QueueReader reader = rocketMq.reader("test", "foreign-group", settings())) {
            reader.assign(at(rocketMq.queues("foreign"), 0));
            List<MessageExt> messages = poll(reader, 2);
            assertThat(messages).extracting(Sent::text).containsExactly("plain", "y".repeat(5_000));
            assertThat(messages.get(0).getUserProperty("a")).isEqualTo("b");
            assertThat(messages.get(0).getTags()).isEqualTo("tag");
            assertThat(messages.get(0).getMsgId()).isEqualTo(messages.get(0).getProperty(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX));
            assertThat(messages).allMatch(message -> message.getBrokerName().equals(broker.brokerName()));
        }
    }

    @Test
    void endsAPollWhenItIsClosedAndReadsNothingAfter() throws Exception {
        List<MessageQueue> queues = filled("closing", 1, 10, 0);
        QueueReader reader = rocketMq.reader("test", "closing-group", settings());
        reader.assign(at(queues, 10));
        Thread closer = new Thread(() -> {
            await().pollDelay(Duration.ofMillis(200)).until(() -> true);
            reader.close();
        }, "closer");
        closer.start();
        long began = System.nanoTime();
        assertThat(reader.poll(Duration.ofSeconds(20))).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        closer.join();
        reader.close();
        reader.assign(at(queues, 0));
        assertThat(reader.poll(Duration.ofMillis(200))).isEmpty();
    }

    @Test
    void recoversFromARestartOfTheBrokerAndSaysMeanwhileWhatIsWrong() throws Exception {
        try (RemotingRocketMq other = Sent.open(broker.namesrvAddr(), "reader-restart")) {
            other.ensureTopic("restart", 2);
            Sent sent = new Sent();
            try (RecordSender sender = other.sender("test", Sent.settings());
                 QueueReader reader = other.reader("test", "restart-group", settings())) {
                IntStream.range(0, 1_000).forEach(i -> sent.send(sender, "restart", "" + i, i));
                assertThat(sender.flush(LONG)).isTrue();
                reader.assign(at(other.queues("restart"), 0));
                List<MessageExt> read = new ArrayList<>(poll(reader, 500));
                broker.kill();
                await().atMost(LONG).until(() -> {
                    read.addAll(reader.poll(Duration.ofMillis(10)));
                    return reader.trouble().isPresent();
                });
                assertThat(reader.trouble().get()).contains("restart").contains(broker.brokerName());
                broker.restart();
                IntStream.range(1_000, 2_000).forEach(i -> sent.send(sender, "restart", "" + i, i));
                assertThat(sender.flush(LONG)).isTrue();
                read.addAll(poll(reader, 2_000 - read.size()));
                assertThat(reader.trouble()).isEmpty();
                assertThat(read).extracting(Sent::text).doesNotHaveDuplicates().hasSize(2_000);
            }
        }
    }
}
