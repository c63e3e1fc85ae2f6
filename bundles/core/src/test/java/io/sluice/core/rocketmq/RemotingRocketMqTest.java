package io.sluice.core.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rocketmq.testing.TestBroker;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.admin.ConsumeStats;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RemotingRocketMqTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static TestBroker broker;
    private static RemotingRocketMq rocketMq;

    @BeforeAll
    static void open() {
        broker = TestBroker.shared();
        rocketMq = Sent.open(broker.namesrvAddr(), "rocketmq-test");
    }

    @AfterAll
    static void close() {
        rocketMq.close();
    }

    private static Map<MessageQueue, Long> at(List<MessageQueue> queues, long offset) {
        return queues.stream().collect(Collectors.toMap(queue -> queue, queue -> offset));
    }

    @Test
    void saysWhomItCannotReach() {
        assertThatThrownBy(() -> Sent.open("127.0.0.1:9", "nobody")).isInstanceOfSatisfying(RocketMqException.class, e -> {
            assertThat(e).hasMessageContaining("127.0.0.1:9");
            assertThat(e.isRetriable()).isTrue();
        });
    }

    @Test
    void createsATopicOnceAndListsItWithoutRocketMqsOwn() {
        rocketMq.ensureTopic("created", 3);
        rocketMq.ensureTopic("created", 7);
        assertThat(rocketMq.queues("created")).hasSize(3).extracting(MessageQueue::getQueueId).containsExactly(0, 1, 2);
        try (RemotingRocketMq other = Sent.open(broker.namesrvAddr(), "other")) {
            other.ensureTopic("created", 7);
            assertThat(other.queues("created")).hasSize(3);
        }
        assertThat(rocketMq.topics()).contains("created").doesNotContain("TBW102", broker.brokerName(), "test", "SELF_TEST_TOPIC")
            .noneMatch(topic -> topic.startsWith("%") || topic.toLowerCase().startsWith("rmq_sys"));
    }

    @Test
    void refusesNamesThatCannotBeTopicsAndSaysThatATopicIsMissing() {
        assertThatThrownBy(() -> rocketMq.ensureTopic("a.b", 1)).isInstanceOfSatisfying(RocketMqException.class,
            e -> assertThat(e.isRetriable()).isFalse()).hasMessageContaining("a.b");
        assertThatThrownBy(() -> rocketMq.queues("missing")).isInstanceOf(RocketMqException.class).hasMessageContaining("missing");
    }

    @Test
    void committedOffsetsAreThereForEverybodyAndForRocketMqsTools() throws Exception {
        rocketMq.ensureTopic("commits", 4);
        List<MessageQueue> queues = rocketMq.queues("commits");
        Sent sent = new Sent();
        try (RecordSender sender = rocketMq.sender("test", Sent.settings())) {
            IntStream.range(0, 400).forEach(i -> sent.send(sender, "commits", "" + i, i));
            assertThat(sender.flush(LONG)).isTrue();
        }
        assertThat(rocketMq.committed("commits-group", queues)).isEmpty();
        try (QueueReader reader = rocketMq.reader("test", "commits-group", new RocketMq.ReaderSettings(100, 1 << 20))) {
            reader.assign(at(queues, 0));
            Map<MessageQueue, Long> next = new HashMap<>();
            while (next.values().stream().mapToLong(Long::longValue).sum() < 200) {
                reader.poll(Duration.ofSeconds(1)).forEach(message ->
                    next.put(new MessageQueue(message.getTopic(), message.getBrokerName(), message.getQueueId()), message.getQueueOffset() + 1));
            }
            rocketMq.commit("commits-group", next);
            assertThat(rocketMq.committed("commits-group", queues)).isEqualTo(next);
            try (RemotingRocketMq other = Sent.open(broker.namesrvAddr(), "other-commits")) {
                assertThat(other.committed("commits-group", queues)).isEqualTo(next);
            }
            long read = next.values().stream().mapToLong(Long::longValue).sum();
            await().atMost(LONG).ignoreException(MQBrokerException.class).untilAsserted(() -> {
                ConsumeStats stats = Admin.with(broker, admin -> admin.examineConsumeStats("commits-group"));
                next.forEach((queue, offset) -> assertThat(stats.getOffsetTable().get(queue).getConsumerOffset()).isEqualTo(offset));
                assertThat(stats.getOffsetTable().entrySet().stream().filter(entry -> entry.getKey().getTopic().equals("commits"))
                    .mapToLong(entry -> entry.getValue().getBrokerOffset() - entry.getValue().getConsumerOffset()).sum()).isEqualTo(400 - read);
            });
            await().atMost(LONG).ignoreException(MQBrokerException.class).untilAsserted(() -> {
                var connection = Admin.with(broker, admin -> admin.examineConsumerConnectionInfo("commits-group"));
                assertThat(connection.getConnectionSet()).singleElement().satisfies(client -> assertThat(client.getClientId()).endsWith("@rocketmq-test"));
                assertThat(connection.getSubscriptionTable()).containsKey("commits");
            });
        }
        await().atMost(LONG).untilAsserted(() -> assertThatThrownBy(() ->
            Admin.with(broker, admin -> admin.examineConsumerConnectionInfo("commits-group"))).isInstanceOf(MQBrokerException.class));
    }

    @Test
    void commitsForAGroupThatHasNeverRead() {
        rocketMq.ensureTopic("beforehand", 2);
        List<MessageQueue> queues = rocketMq.queues("beforehand");
        rocketMq.commit("never-read-group", at(queues, 5));
        assertThat(rocketMq.committed("never-read-group", queues)).isEqualTo(at(queues, 5));
        rocketMq.commit("never-read-group", Map.of(queues.get(1), 0L));
        assertThat(rocketMq.committed("never-read-group", queues)).isEqualTo(Map.of(queues.get(0), 5L, queues.get(1), 0L));
        rocketMq.commit("never-read-group", Map.of());
        assertThat(rocketMq.committed("never-read-group", List.of())).isEmpty();
    }

    @Test
    void forgetsAGroupWithItsOffsets() {
        rocketMq.ensureTopic("forgotten", 3);
        List<MessageQueue> queues = rocketMq.queues("forgotten");
        rocketMq.forgetGroup("forgotten-group");
        for (long offset = 5; offset < 8; offset++) {
            rocketMq.commit("forgotten-group", at(queues, offset));
            assertThat(rocketMq.committed("forgotten-group", queues)).isEqualTo(at(queues, offset));
            rocketMq.forgetGroup("forgotten-group");
            assertThat(rocketMq.committed("forgotten-group", queues)).isEmpty();
        }
    }

    /** RocketMQ confirms the first offsets of a group and loses some of them when they come at the same moment. */
    @Test
    void keepsEveryOffsetOfAFirstCommit() throws Exception {
        rocketMq.ensureTopic("first-commits", 16);
        List<MessageQueue> queues = rocketMq.queues("first-commits");
        for (int round = 0; round < 30; round++) {
            String group = "first-commits-" + round;
            CountDownLatch begin = new CountDownLatch(1);
            List<Thread> tasks = new ArrayList<>();
            for (int task = 0; task < 4; task++) {
                List<MessageQueue> share = queues.subList(4 * task, 4 * task + 4);
                Thread thread = new Thread(() -> {
                    try {
                        begin.await();
                        rocketMq.commit(group, at(share, 7));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                thread.start();
                tasks.add(thread);
            }
            begin.countDown();
            for (Thread task : tasks) {
                task.join();
            }
            assertThat(rocketMq.committed(group, queues)).as("round %s", round).isEqualTo(at(queues, 7));
        }
    }

    @Test
    void tellsTheRangeOfAQueue() throws Exception {
        rocketMq.ensureTopic("ranges", 1);
        MessageQueue queue = rocketMq.queues("ranges").get(0);
        assertThat(rocketMq.range(queue)).isEqualTo(new RocketMq.Range(0, 0));
        Sent sent = new Sent();
        try (RecordSender sender = rocketMq.sender("test", Sent.settings())) {
            IntStream.range(0, 10).forEach(i -> sent.send(sender, "ranges", "" + i, i));
            assertThat(sender.flush(LONG)).isTrue();
        }
        await().atMost(LONG).untilAsserted(() -> assertThat(rocketMq.range(queue)).isEqualTo(new RocketMq.Range(0, 10)));
    }

    /** A name server that has just started knows no topics until the brokers register anew, which must not lead to their being made anew. */
    @Test
    void survivesARestartOfEverythingWithItsTopicsAndOffsets() throws Exception {
        try (RemotingRocketMq first = Sent.open(broker.namesrvAddr(), "everything")) {
            first.ensureTopic("everything", 6);
            List<MessageQueue> queues = first.queues("everything");
            first.commit("everything-group", at(queues, 0));
            broker.kill();
            assertThatThrownBy(() -> first.queues("everything")).isInstanceOfSatisfying(RocketMqException.class, e -> assertThat(e.isRetriable()).isTrue());
            assertThatThrownBy(() -> first.commit("everything-group", at(queues, 1))).isInstanceOfSatisfying(RocketMqException.class,
                e -> assertThat(e.isRetriable()).isTrue());
            broker.restart();
            try (RemotingRocketMq second = Sent.open(broker.namesrvAddr(), "everything-2")) {
                second.ensureTopic("everything", 1);
                assertThat(second.queues("everything")).hasSize(6);
            }
            first.commit("everything-group", at(queues, 2));
            assertThat(first.committed("everything-group", queues)).isEqualTo(at(queues, 2));
        }
    }

    @Test
    void leavesNoThreadBehind() throws Exception {
        Set<Long> before = threads().keySet();
        List<RecordSender> senders = new ArrayList<>();
        List<QueueReader> readers = new ArrayList<>();
        RemotingRocketMq closed = Sent.open(broker.namesrvAddr(), "threads");
        closed.ensureTopic("threads", 2);
        Sent sent = new Sent();
        for (int i = 0; i < 10; i++) {
            RecordSender sender = closed.sender("test", Sent.settings());
            senders.add(sender);
            sent.send(sender, "threads", "" + i, i);
            assertThat(sender.flush(LONG)).isTrue();
            QueueReader reader = closed.reader("test", "threads-group-" + i, new RocketMq.ReaderSettings(10, 1 << 20));
            readers.add(reader);
            reader.assign(at(closed.queues("threads"), 0));
            assertThat(reader.poll(Duration.ofSeconds(10))).isNotEmpty();
        }
        Map<Long, String> during = threads();
        during.keySet().removeAll(before);
        // However many tasks there are.
        assertThat(during).hasSizeLessThan(25);
        senders.forEach(RecordSender::close);
        readers.forEach(QueueReader::close);
        closed.close();
        await().atMost(LONG).untilAsserted(() -> {
            Map<Long, String> after = threads();
            after.keySet().removeAll(before);
            // Netty's own, one for the whole process, which ends by itself when it has nothing to do.
            after.values().removeIf(name -> name.startsWith("globalEventExecutor") || name.startsWith("awaitility"));
            assertThat(after.values()).isEmpty();
        });
    }

    @Test
    void costsNextToNothingWhenIdle() throws Exception {
        rocketMq.ensureTopic("idle", 16);
        List<MessageQueue> queues = rocketMq.queues("idle");
        try (RecordSender sender = rocketMq.sender("test", Sent.settings());
             QueueReader reader = rocketMq.reader("test", "idle-group", new RocketMq.ReaderSettings(100, 1 << 20))) {
            Sent sent = new Sent();
            sent.send(sender, "idle", "x", 0);
            assertThat(sender.flush(LONG)).isTrue();
            reader.assign(at(queues, 0));
            assertThat(reader.poll(Duration.ofSeconds(10))).hasSize(1);
            var cpu = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
            long before = cpu.getProcessCpuTime();
            assertThat(reader.poll(Duration.ofSeconds(4))).isEmpty();
            // A long poll for each of 16 queues: some milliseconds; a poll without a pause would take whole seconds.
            assertThat(Duration.ofNanos(cpu.getProcessCpuTime() - before)).isLessThan(Duration.ofMillis(1_000));
        }
    }

    private static Map<Long, String> threads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<Long, String> names = new HashMap<>();
        for (var info : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (info != null) {
                names.put(info.getThreadId(), info.getThreadName());
            }
        }
        return names;
    }
}
