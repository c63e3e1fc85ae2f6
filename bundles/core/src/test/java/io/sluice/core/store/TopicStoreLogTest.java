package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rocketmq.LogTopic;
import io.sluice.core.rocketmq.RocketMq;
import io.sluice.core.store.StoreLog.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The log over a topic of a real broker that stays up. */
class TopicStoreLogTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static TopicLogs logs;

    @TempDir
    Path folder;

    private final String topic = TopicLogs.newTopic();

    @BeforeAll
    static void connect() {
        logs = TopicLogs.shared();
    }

    @AfterAll
    static void disconnect() {
        logs.close();
    }

    private TopicStoreLog open(String worker, StoreLog.Follower follower) throws IOException {
        return open(TopicLogs.settings(folder.resolve(worker)), follower);
    }

    private TopicStoreLog open(TopicLogSettings settings, StoreLog.Follower follower) throws IOException {
        TopicStoreLog log = logs.log(topic, settings);
        log.open(follower);
        return log;
    }

    private static long get(CompletableFuture<Long> append) throws InterruptedException, ExecutionException, TimeoutException {
        return append.get(30, TimeUnit.SECONDS);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private RocketMq.Range range() {
        return logs.rocketMq().log(topic).range();
    }

    @Test
    void showsEveryReaderTheSameEntriesInTheSameOrder() throws Exception {
        Seen first = new Seen();
        Seen second = new Seen();
        try (StoreLog a = open("a", first); StoreLog b = open("b", second)) {
            List<CompletableFuture<Long>> appends = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                appends.add((i % 2 == 0 ? a : b).append("key" + i % 7, bytes("value" + i)));
            }
            for (CompletableFuture<Long> append : appends) {
                get(append);
            }
            long last = get(b.append("end", bytes("x")));
            assertThat(second.lastPosition()).isEqualTo(last);
            await().atMost(SOON).untilAsserted(() -> assertThat(first.lastPosition()).isEqualTo(last));
            assertThat(first.positions()).isEqualTo(second.positions()).isSorted().doesNotHaveDuplicates().hasSize(201);
            assertThat(List.copyOf(first.values().entrySet())).isEqualTo(List.copyOf(second.values().entrySet()));
        }
        Seen late = new Seen();
        try (StoreLog c = open("c", late)) {
            assertThat(List.copyOf(late.values().entrySet())).isEqualTo(List.copyOf(first.values().entrySet()));
        }
    }

    @Test
    void keepsEntriesThatBelongTogetherTogether() throws Exception {
        Seen seen = new Seen();
        try (StoreLog log = open("a", seen)) {
            long position = get(log.append(List.of(new Entry("a", bytes("1")), new Entry("b", bytes("2")), new Entry("a", null))));
            assertThat(seen.values()).isEqualTo(Map.of("b", "2"));
            assertThat(seen.positions()).containsExactly(position - 2, position - 1, position);
            assertThat(range().max()).isEqualTo(1);
        }
    }

    @Test
    void startsFromItsCheckpoint() throws Exception {
        try (StoreLog log = open("a", new Seen())) {
            for (int i = 0; i < 5; i++) {
                get(log.append("key" + i, bytes("value" + i)));
            }
            get(log.append("key1", null));
        }
        assertThat(folder.resolve("a/checkpoint")).exists();
        Seen other = new Seen();
        try (StoreLog log = open("b", other)) {
            get(log.append("key0", bytes("newer")));
        }
        Seen seen = new Seen();
        try (StoreLog log = open("a", seen)) {
            assertThat(seen.values()).isEqualTo(other.values());
            assertThat(seen.positions()).as("four from the checkpoint, one from the topic").hasSize(5).isSorted();
        }
        Files.write(folder.resolve("a/checkpoint"), new byte[] {1, 2, 3});
        seen = new Seen();
        try (StoreLog log = open("a", seen)) {
            assertThat(seen.values()).isEqualTo(other.values());
        }
    }

    @Test
    void writesSnapshotsWhenTheLogGrowsAndStartsFromTheNewest() throws Exception {
        TopicLogSettings often = TopicLogs.settings(folder.resolve("a")).withSnapshots(Duration.ofHours(1), 40, 1 << 30);
        Seen seen = new Seen();
        try (StoreLog log = open(often, seen)) {
            for (int i = 0; i < 200; i++) {
                get(log.append("key" + i % 5, bytes("value" + i)));
                if (i % 50 == 49) {
                    long before = range().max();
                    await().atMost(SOON).until(() -> range().max() > before);
                }
            }
            get(log.append("end", bytes("x")));
        }
        Seen late = new Seen();
        try (StoreLog log = open("b", late)) {
            assertThat(List.copyOf(late.values().entrySet())).isEqualTo(List.copyOf(seen.values().entrySet()));
            assertThat(late.positions()).hasSizeLessThan(60).isSorted();
        }
    }

    @Test
    void writesASnapshotWhenTheNewestIsOld() throws Exception {
        TopicLogSettings often = TopicLogs.settings(folder.resolve("a")).withSnapshots(Duration.ofSeconds(1), 1_000, 1 << 30);
        try (StoreLog log = open(often, new Seen())) {
            get(log.append("key", bytes("value")));
            await().atMost(Duration.ofSeconds(40)).until(() -> range().max() >= 3);
            assertThat(range().max()).isLessThan(20);
        }
    }

    @Test
    void dropsWhatCameTwiceOrTooLate() throws Exception {
        Seen seen = new Seen();
        LogTopic direct = logs.rocketMq().log(topic);
        try (StoreLog log = open("a", seen)) {
            get(log.append("mine", bytes("1")));
            UUID writer = UUID.randomUUID();
            List<byte[]> messages = new ArrayList<>();
            for (long sequence = 1; sequence <= 3; sequence++) {
                messages.add(LogFrame.append(new LogFrame.Header(0, Era.FIRST.id(), writer, sequence, -1), false,
                    List.of(AppendQueue.Raw.of(new Entry("key", bytes("value" + sequence))))));
            }
            for (int index : new int[] {0, 0, 2, 1, 2, 0}) {
                direct.send(messages.get(index), SOON);
            }
            direct.send(bytes("somebody else's message"), SOON);
            get(log.append("end", bytes("x")));
            assertThat(seen.positions()).hasSize(4);
            assertThat(seen.values()).containsEntry("key", "value3");
        }
        Seen late = new Seen();
        try (StoreLog log = open("b", late)) {
            assertThat(late.positions()).isEqualTo(seen.positions());
        }
    }

    @Test
    void refusesAnAppendThatDoesNotFitIntoAMessage() throws Exception {
        try (StoreLog log = open("a", new Seen())) {
            assertThatThrownBy(() -> get(log.append("key", new byte[5 << 20]))).cause().isInstanceOf(IOException.class)
                .hasMessageContaining("at most").hasMessageContaining("maxMessageSize");
            Seen other = new Seen();
            try (StoreLog reader = open("b", other)) {
                get(log.append("large", new byte[(4 << 20) - (8 << 10)]));
                await().atMost(SOON).until(() -> other.values().containsKey("large"));
            }
        }
    }

    @Test
    void refusesATopicWithMoreQueues() {
        logs.rocketMq().ensureTopic(topic, 2);
        assertThatThrownBy(() -> open("a", new Seen())).isInstanceOf(IOException.class).hasMessageContaining("2 queues").hasMessageContaining(topic);
    }

    @Test
    void failsToOpenWithTheFollowersError() {
        assertThatThrownBy(() -> {
            try (StoreLog log = open("a", new Seen())) {
                get(log.append("key", bytes("x")));
            }
            open("b", (position, key, value) -> {
                throw new java.io.UncheckedIOException(new IOException("no such format"));
            });
        }).isInstanceOf(IOException.class).hasMessageContaining("no such format");
    }

    @Test
    void takesNothingBeforeItIsOpenAndAfterItIsClosed() throws Exception {
        TopicStoreLog log = logs.log(topic, folder.resolve("a"));
        assertThatThrownBy(() -> get(log.append("key", bytes("x")))).cause().isInstanceOf(IOException.class).hasMessageContaining("not open");
        log.open(new Seen());
        assertThat(log.connected()).isTrue();
        assertThat(log.lag()).isLessThan(Duration.ofSeconds(10));
        CompletableFuture<Long> last = log.append("key", bytes("x"));
        log.close();
        assertThat(last).isDone();
        assertThatThrownBy(() -> get(log.append("key", bytes("x")))).cause().isInstanceOf(IOException.class);
        assertThat(log.connected()).isFalse();
        assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName).noneMatch(name -> name.contains(topic));
    }

    @Test
    void replaysTwentyThousandEntriesInSeconds() throws Exception {
        try (StoreLog log = open("a", new Seen())) {
            List<CompletableFuture<Long>> appends = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                byte[] value = new byte[1_024];
                new java.util.Random(i).nextBytes(value);
                appends.add(log.append("key" + i, value));
            }
            CompletableFuture.allOf(appends.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        }
        long start = System.nanoTime();
        Seen seen = new Seen();
        try (StoreLog log = open("b", seen)) {
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(seen.values()).hasSize(20_000);
            assertThat(took).isLessThan(Duration.ofSeconds(15));
            LoggerFactory.getLogger(getClass()).info("20000 entries of 1 KB replayed in {} ms", took.toMillis());
        }
    }
}
