package io.sluice.core.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rocketmq.testing.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RecordSenderTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static TestBroker broker;
    private static RemotingRocketMq rocketMq;

    @BeforeAll
    static void open() {
        broker = TestBroker.shared();
        rocketMq = Sent.open(broker.namesrvAddr(), "sender-test");
    }

    @AfterAll
    static void close() {
        rocketMq.close();
    }

    @Test
    void keepsTheOrderOfEachKeyAndAcknowledgesWithTheOffset() throws Exception {
        Sent sent = new Sent();
        try (RecordSender sender = rocketMq.sender("test", Sent.settings())) {
            for (int i = 0; i < 20_000; i++) {
                sent.send(sender, "order", i % 10 + ":" + i, i % 10);
            }
            assertThat(sender.flush(LONG)).isTrue();
            assertThat(sender.trouble()).isEmpty();
        }
        assertThat(sent.offsets).hasSize(20_000);
        assertThat(rocketMq.queues("order")).hasSize(4);
        Map<MessageQueue, List<MessageExt>> read = Sent.readAll(rocketMq, "order", 20_000);
        Map<String, Integer> last = new HashMap<>();
        read.forEach((queue, messages) -> messages.forEach(message -> {
            String text = Sent.text(message);
            String[] parts = text.split(":");
            assertThat(last.getOrDefault(parts[0], -1)).isLessThan(Integer.parseInt(parts[1]));
            last.put(parts[0], Integer.parseInt(parts[1]));
            assertThat(sent.offsets.get(text)).isEqualTo(message.getQueueOffset());
            assertThat(sent.queues.get(text)).isEqualTo(queue);
        }));
        assertThat(read.values().stream().mapToInt(List::size).sum()).isEqualTo(20_000);
    }

    @Test
    void keepsPropertiesFlagAndUniqueId() throws Exception {
        Sent sent = new Sent();
        try (RecordSender sender = rocketMq.sender("test", Sent.settings())) {
            for (String text : List.of("alone", "a", "b")) {
                Message message = Sent.message("properties", text);
                message.setKeys("key-of-" + text);
                message.setTags("tag");
                message.setFlag(7);
                message.putUserProperty("grüße", "日本語 \uD83D\uDE00 " + text);
                sender.send(message, 0, sent.listener(text));
            }
            assertThat(sender.flush(LONG)).isTrue();
        }
        List<MessageExt> read = Sent.readAll(rocketMq, "properties", 3).values().stream().flatMap(List::stream).toList();
        assertThat(read).hasSize(3).allSatisfy(message -> {
            assertThat(message.getKeys()).isEqualTo("key-of-" + Sent.text(message));
            assertThat(message.getTags()).isEqualTo("tag");
            assertThat(message.getFlag()).isEqualTo(7);
            assertThat(message.getUserProperty("grüße")).isEqualTo("日本語 \uD83D\uDE00 " + Sent.text(message));
            assertThat(message.getMsgId()).matches("[0-9A-F]{32,}");
            assertThat(message.getBornTimestamp()).isPositive();
        });
        assertThat(read).extracting(MessageExt::getMsgId).doesNotHaveDuplicates();
    }

    @Test
    void refusesOnlyWhatCanNeverBeSent() throws Exception {
        Sent sent = new Sent();
        try (RecordSender sender = rocketMq.sender("test", Sent.settings())) {
            for (int i = 0; i < 100; i++) {
                sent.send(sender, "refusals", "good-" + i, 0);
                if (i == 20) {
                    sender.send(new Message("refusals", new byte[(4 << 20) + 1]), 0, sent.listener("large body"));
                } else if (i == 40) {
                    Message message = Sent.message("refusals", "large properties");
                    message.putUserProperty("large", "x".repeat(33_000));
                    sender.send(message, 0, sent.listener("large properties"));
                } else if (i == 60) {
                    sender.send(new Message("refusals", new byte[0]), 0, sent.listener("empty body"));
                } else if (i == 80) {
                    sender.send(Sent.message("a.b", "illegal topic"), 0, sent.listener("illegal topic"));
                }
            }
            sender.send(new Message("refusals", new byte[4 << 20]), 0, sent.listener("just not too large"));
            assertThat(sender.flush(LONG)).isTrue();
        }
        assertThat(sent.refused).containsOnlyKeys("large body", "large properties", "empty body", "illegal topic");
        assertThat(sent.refused.get("large body")).hasMessageContaining("4194305").hasMessageContaining("4194304");
        assertThat(sent.refused.get("large properties")).hasMessageContaining("32767");
        assertThat(sent.refused.get("illegal topic")).hasMessageContaining("a.b");
        assertThat(sent.refused.values()).noneMatch(RocketMqException::isRetriable);
        assertThat(sent.offsets).hasSize(101).containsKey("just not too large");
        assertThat(texts("refusals", 101).subList(0, 100)).isEqualTo(IntStream.range(0, 100).mapToObj(i -> "good-" + i).toList());
    }

    /** What RocketMQ refuses in the middle of a batch is found by halving; here a message that the broker alone can judge. */
    @Test
    void narrowsARefusedBatchDownToTheBadMessage() throws Exception {
        Sent sent = new Sent();
        rocketMq.ensureTopic("narrow", 1);
        try (RecordSender sender = rocketMq.sender("test", new RocketMq.SenderSettings(256 << 10, 1_000, Duration.ofMillis(500), 8 << 20, 1))) {
            for (int i = 0; i < 200; i++) {
                Message message = Sent.message("narrow", "m-" + i);
                if (i == 77 || i == 150) {
                    // The broker adds properties of its own to these, and then there is no room left.
                    MessageAccessor.putProperty(message, "filler", "x".repeat(32_767 - 60));
                }
                sender.send(message, 0, sent.listener("m-" + i));
            }
            assertThat(sender.flush(LONG)).isTrue();
        }
        List<String> expected = new ArrayList<>(IntStream.range(0, 200).mapToObj(i -> "m-" + i).toList());
        expected.removeAll(sent.refused.keySet());
        assertThat(texts("narrow", expected.size())).isEqualTo(expected);
        assertThat(sent.offsets.size() + sent.refused.size()).isEqualTo(200);
    }

    @Test
    void adaptsToABrokerWithALowerLimit() throws Exception {
        try (TestBroker small = TestBroker.start("maxMessageSize=40000", "autoCreateSubscriptionGroup=false");
             RemotingRocketMq other = Sent.open(small.namesrvAddr(), "small")) {
            Sent sent = new Sent();
            other.ensureTopic("small", 1);
            try (RecordSender sender = other.sender("test", new RocketMq.SenderSettings(1 << 20, 10_000, Duration.ofMillis(200), 8 << 20, 1))) {
                String padding = "x".repeat(1_000);
                for (int i = 0; i < 300; i++) {
                    sent.send(sender, "small", i + padding, 0);
                }
                sender.send(new Message("small", new byte[50_000]), 0, sent.listener("too large here"));
                sent.send(sender, "small", "last", 0);
                assertThat(sender.flush(LONG)).isTrue();
            }
            assertThat(sent.refused).containsOnlyKeys("too large here");
            List<String> texts = Sent.readAll(other, "small", 301).values().iterator().next().stream().map(Sent::text).toList();
            assertThat(texts).hasSize(301).endsWith("last");
            assertThat(IntStream.range(0, 300)).allMatch(i -> texts.get(i).startsWith(i + "x"));
        }
    }

    @Test
    void waitsForCompanyAsLongAsItLingers() throws Exception {
        Sent sent = new Sent();
        rocketMq.ensureTopic("linger", 1);
        try (RecordSender sender = rocketMq.sender("test", new RocketMq.SenderSettings(256 << 10, 100, Duration.ofSeconds(20), 8 << 20, 1))) {
            sent.send(sender, "linger", "x", 0);
            sender.flush(Duration.ZERO);
            for (int i = 0; i < 101; i++) {
                sent.send(sender, "linger", "y" + i, 0);
            }
            // A full batch goes at once, and the one that has grown meanwhile follows it; only the flush makes the rest go.
            await().atMost(LONG).until(() -> sent.offsets.size() >= 101);
            sent.send(sender, "linger", "z", 0);
            assertThat(sender.flush(LONG)).isTrue();
            assertThat(sent.offsets).hasSize(103);
        }
    }

    @Test
    void saysWhenItIsFullAndGoesOnWhenTheBrokerDoes() throws Exception {
        try (RemotingRocketMq other = Sent.open(broker.namesrvAddr(), "full")) {
            other.ensureTopic("full", 2);
            Sent sent = new Sent();
            try (RecordSender sender = other.sender("test", new RocketMq.SenderSettings(64 << 10, 100, Duration.ZERO, 100_000, 2))) {
                sent.send(sender, "full", "first", 0);
                assertThat(sender.flush(LONG)).isTrue();
                broker.kill();
                int accepted = 0;
                while (sender.awaitCapacity(Duration.ZERO)) {
                    sent.send(sender, "full", "m" + accepted++, accepted);
                }
                // Each message takes some 80 bytes; the bound is kept to within the last one.
                assertThat(accepted).isBetween(800, 2_000);
                assertThat(sender.awaitCapacity(Duration.ofMillis(300))).isFalse();
                assertThat(sender.flush(Duration.ofMillis(300))).isFalse();
                await().atMost(LONG).untilAsserted(() -> assertThat(sender.trouble()).hasValueSatisfying(
                    trouble -> assertThat(trouble).contains("full").contains(broker.brokerName())));
                broker.restart();
                assertThat(sender.flush(LONG)).isTrue();
                assertThat(sender.trouble()).isEmpty();
                assertThat(sent.offsets).hasSize(accepted + 1);
            }
        }
    }

    @Test
    void containsListenersThatThrow() throws Exception {
        try (RecordSender sender = rocketMq.sender("test", Sent.settings())) {
            for (int i = 0; i < 10; i++) {
                sender.send(Sent.message("throwing", "x"), 0, new RecordSender.Listener() {
                    @Override
                    public void acknowledged(MessageQueue queue, long queueOffset) {
                        throw new IllegalStateException("a listener's own trouble");
                    }

                    @Override
                    public void refused(RocketMqException reason) {
                        throw new IllegalStateException("a listener's own trouble");
                    }
                });
            }
            assertThat(sender.flush(LONG)).isTrue();
        }
    }

    @Test
    void takesNothingAfterItWasClosed() {
        RecordSender sender = rocketMq.sender("test", Sent.settings());
        sender.close();
        assertThatThrownBy(() -> sender.send(Sent.message("closed", "x"), 0, new Sent().listener("x"))).isInstanceOf(IllegalStateException.class);
    }

    /** Keys move to other queues when there are more of them; what was sent before must be stored before. */
    @Test
    void keepsTheOrderWhileATopicGetsMoreQueues() throws Exception {
        rocketMq.ensureTopic("growing", 2);
        Sent sent = new Sent();
        LaneSender sender = (LaneSender) rocketMq.sender("test", Sent.settings());
        try (sender) {
            int i = 0;
            for (; i < 5_000; i++) {
                sent.send(sender, "growing", i % 8 + ":" + i, i % 8);
            }
            Admin.setQueues(broker, "growing", 8);
            await().atMost(LONG).until(() -> rocketMq.queues("growing").size() == 8);
            sender.lookUpRoutes();
            long deadline = System.nanoTime() + LONG.toNanos();
            while (sent.queues.values().stream().distinct().count() < 8) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                for (int end = i + 1_000; i < end; i++) {
                    sent.send(sender, "growing", i % 8 + ":" + i, i % 8);
                }
                assertThat(sender.awaitCapacity(LONG)).isTrue();
                sender.flush(LONG);
            }
            assertThat(sender.flush(LONG)).isTrue();
            assertThat(sent.offsets).hasSize(i);
        }
        assertOrderOfKeys("growing", sent.offsets.size());
    }

    @Test
    void goesToTheOtherQueuesInOrderWhenSomeAreGoneForGood() throws Exception {
        RemotingRocketMq.Settings settings = new RemotingRocketMq.Settings(broker.namesrvAddr(), "shrinking");
        rocketMq.ensureTopic("shrinking", 8);
        Sent sent = new Sent();
        try (Connection connection = new Connection(settings)) {
            Topics topics = new Topics(connection);
            try (LaneSender sender = new LaneSender("test", Sent.settings(), connection, topics, Duration.ofSeconds(2))) {
                int i = 0;
                for (; i < 4_000; i++) {
                    sent.send(sender, "shrinking", i % 8 + ":" + i, i % 8);
                }
                assertThat(sender.flush(LONG)).isTrue();
                Admin.setQueues(broker, "shrinking", 3);
                for (; i < 8_000; i++) {
                    sent.send(sender, "shrinking", i % 8 + ":" + i, i % 8);
                }
                await().atMost(LONG).untilAsserted(() -> assertThat(sender.trouble()).hasValueSatisfying(
                    trouble -> assertThat(trouble).contains("shrinking").contains("queue")));
                for (; i < 9_000; i++) {
                    sent.send(sender, "shrinking", i % 8 + ":" + i, i % 8);
                }
                assertThat(sender.flush(LONG)).isTrue();
                assertThat(sender.trouble()).isEmpty();
                assertThat(sent.offsets).hasSize(i);
            }
        }
        // What was sent to the queues that are gone cannot be read any more.
        Admin.setQueues(broker, "shrinking", 8);
        await().atMost(LONG).until(() -> rocketMq.queues("shrinking").size() == 8);
        assertOrderOfKeys("shrinking", 9_000);
    }

    /** The order over the queues of a key is the order of the places at which its messages were stored. */
    private static void assertOrderOfKeys(String topic, int count) throws InterruptedException {
        Map<String, List<MessageExt>> byKey = new HashMap<>();
        Sent.readAll(rocketMq, topic, count).values().stream().flatMap(List::stream)
            .forEach(message -> byKey.computeIfAbsent(Sent.text(message).split(":")[0], unused -> new ArrayList<>()).add(message));
        assertThat(byKey.values().stream().mapToInt(List::size).sum()).isEqualTo(count);
        byKey.values().forEach(messages -> {
            messages.sort(Comparator.comparingLong(MessageExt::getCommitLogOffset));
            assertThat(messages).extracting(message -> Integer.valueOf(Sent.text(message).split(":")[1])).isSorted();
        });
    }

    private static List<String> texts(String topic, int count) throws InterruptedException {
        return Sent.readAll(rocketMq, topic, count).values().stream().flatMap(List::stream).map(Sent::text).toList();
    }
}
