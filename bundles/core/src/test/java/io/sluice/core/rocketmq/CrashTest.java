package io.sluice.core.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.rocketmq.testing.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A stream of numbered messages while the broker is killed, started again and frozen. */
class CrashTest {

    private static final int KEYS = 12;
    private static final Duration LONG = Duration.ofSeconds(90);
    private static TestBroker broker;

    @BeforeAll
    static void start() {
        broker = TestBroker.shared();
    }

    /** Sends and reads until it is told to end; then checks that nothing was lost or mixed up. */
    private static final class Stream implements AutoCloseable {

        private final RemotingRocketMq rocketMq;
        private final String topic;
        private final Sent sent = new Sent();
        private final AtomicInteger count = new AtomicInteger();
        private final AtomicBoolean ending = new AtomicBoolean();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final Thread writer;
        private final Thread reader;
        private final List<MessageExt> read = new ArrayList<>();
        private final CountDownLatch written = new CountDownLatch(1);

        private Stream(String topic) {
            this.topic = topic;
            this.rocketMq = Sent.open(broker.namesrvAddr(), topic);
            rocketMq.ensureTopic(topic, 4);
            this.writer = new Thread(() -> guarded(this::write), "writer");
            this.reader = new Thread(() -> guarded(this::read), "reader");
            writer.start();
            reader.start();
        }

        private interface Step {
            void run() throws Exception;
        }

        private void guarded(Step step) {
            try {
                step.run();
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            } finally {
                if (Thread.currentThread() == writer) {
                    written.countDown();
                }
            }
        }

        private void write() throws Exception {
            try (RecordSender sender = rocketMq.sender(topic, new RocketMq.SenderSettings(32 << 10, 200, Duration.ZERO, 200_000, 4))) {
                while (!ending.get()) {
                    if (sender.awaitCapacity(Duration.ofMillis(100))) {
                        int number = count.getAndIncrement();
                        sent.send(sender, topic, number % KEYS + ":" + number, number % KEYS);
                    }
                }
                assertThat(sender.flush(LONG)).as("%s", sender.trouble()).isTrue();
            }
        }

        private void read() throws Exception {
            Map<MessageQueue, Long> offsets = new HashMap<>();
            rocketMq.queues(topic).forEach(queue -> offsets.put(queue, 0L));
            try (QueueReader queues = rocketMq.reader(topic, topic + "-group", new RocketMq.ReaderSettings(500, 1 << 20))) {
                queues.assign(offsets);
                for (boolean more = true; more || written.getCount() > 0;) {
                    List<MessageExt> batch = queues.poll(Duration.ofMillis(1_000));
                    read.addAll(batch);
                    more = !batch.isEmpty();
                }
            }
        }

        /** Waits until so many more messages were acknowledged. */
        void advance(int more) throws InterruptedException {
            int target = sent.told.get() + more;
            long deadline = System.nanoTime() + LONG.toNanos();
            while (sent.told.get() < target) {
                assertThat(failure.get()).isNull();
                assertThat(System.nanoTime()).as("%s of %s were acknowledged", sent.told, target).isLessThan(deadline);
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }

        /** @return how many messages were stored twice */
        int endAndCheck() throws InterruptedException {
            ending.set(true);
            writer.join();
            reader.join();
            assertThat(failure.get()).isNull();
            assertThat(sent.refused).isEmpty();
            assertThat(sent.offsets).hasSize(count.get());
            Map<MessageQueue, Long> nextOffset = new HashMap<>();
            Map<Integer, Integer> last = new HashMap<>();
            Map<Integer, MessageQueue> queueOf = new HashMap<>();
            for (MessageExt message : read) {
                MessageQueue queue = new MessageQueue(message.getTopic(), message.getBrokerName(), message.getQueueId());
                assertThat(message.getQueueOffset()).isEqualTo(nextOffset.getOrDefault(queue, 0L));
                nextOffset.put(queue, message.getQueueOffset() + 1);
                String[] parts = Sent.text(message).split(":");
                int key = Integer.parseInt(parts[0]);
                int number = Integer.parseInt(parts[1]);
                assertThat(queueOf.computeIfAbsent(key, unused -> queue)).isEqualTo(queue);
                int expected = last.getOrDefault(key, key - KEYS) + KEYS;
                if (number != expected) {
                    // A batch that came twice goes back by less than a batch, and nothing is missing in between.
                    assertThat(number).as("after %s of key %s", expected - KEYS, key).isLessThan(expected).isGreaterThan(expected - 200 * KEYS);
                }
                last.put(key, number);
            }
            last.forEach((key, number) -> assertThat(number).isGreaterThanOrEqualTo(count.get() - KEYS));
            assertThat(read.stream().map(Sent::text).distinct().count()).isEqualTo(count.get());
            return read.size() - count.get();
        }

        @Override
        public void close() {
            ending.set(true);
            rocketMq.close();
        }
    }

    @Test
    void losesNothingAndKeepsTheOrderOfEachKeyWhenTheBrokerIsKilledAgainAndAgain() throws Exception {
        Random random = new Random();
        try (Stream stream = new Stream("killed")) {
            for (int kill = 0; kill < 3; kill++) {
                stream.advance(2_000 + random.nextInt(10_000));
                broker.kill();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(1_000));
                broker.restart();
            }
            stream.advance(5_000);
            // Only what was on its way in each of four lanes can come twice.
            assertThat(stream.endAndCheck()).isLessThanOrEqualTo(3 * 4 * 200);
        }
    }

    @Test
    void goesOnAfterTheBrokerWasFrozenForLongerThanARequestMayTake() throws Exception {
        try (Stream stream = new Stream("frozen")) {
            stream.advance(5_000);
            broker.freeze();
            TimeUnit.SECONDS.sleep(13);
            broker.thaw();
            stream.advance(5_000);
            assertThat(stream.endAndCheck()).isLessThanOrEqualTo(4 * 200);
        }
    }
}
