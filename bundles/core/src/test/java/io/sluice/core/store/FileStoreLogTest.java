package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.store.StoreLog.Entry;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStoreLogTest {

    @TempDir
    Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long append(StoreLog log, String key, String value) throws Exception {
        return log.append(key, value == null ? null : bytes(value)).get(10, TimeUnit.SECONDS);
    }

    @Test
    void givesBackWhatWasAppendedAfterItWasOpenedAgain() throws Exception {
        Seen first = new Seen();
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(first);
            append(log, "a", "1");
            append(log, "b", "2");
            append(log, "a", "3");
            append(log, "b", null);
            append(log, "", "");
        }
        Seen second = new Seen();
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(second);
            assertThat(second.values()).isEqualTo(first.values()).isEqualTo(Map.of("a", "3", "", ""));
            assertThat(second.positions()).isEqualTo(first.positions()).isSorted().doesNotHaveDuplicates();
            assertThat(append(log, "c", "4")).isGreaterThan(first.positions().get(first.positions().size() - 1));
        }
    }

    @Test
    void confirmsAfterTheFollowerAppliedAndInOrder() throws Exception {
        Seen seen = new Seen();
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(seen);
            List<CompletableFuture<Boolean>> applied = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                applied.add(log.append("key" + i, bytes("value")).thenApply(position -> seen.lastPosition() >= position));
            }
            CompletableFuture.allOf(applied.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
            assertThat(applied).extracting(CompletableFuture::join).containsOnly(true);
            assertThat(seen.values().keySet()).containsExactlyElementsOf(IntStream.range(0, 5_000).mapToObj(i -> "key" + i).toList());
        }
    }

    @Test
    void keepsWhatCountsAndItsOrderWhenItIsCompacted() throws Exception {
        Seen first = new Seen();
        try (StoreLog log = new FileStoreLog(folder, new Compaction.Limits(10_000, 1_000), FileChannel::open)) {
            log.open(first);
            append(log, "gone", "x");
            append(log, "kept", "first");
            append(log, "gone", null);
            for (int i = 0; i < 20_000; i++) {
                log.append("k" + i % 7, bytes("value " + i));
            }
            append(log, "last", "z");
        }
        assertThat(totalBytes()).isLessThan(200_000);
        Seen second = new Seen();
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(second);
            assertThat(second.values()).isEqualTo(first.values()).containsEntry("kept", "first").hasSize(9);
            assertThat(second.positions()).isSorted().doesNotHaveDuplicates();
            assertThat(append(log, "next", "n")).isEqualTo(20_004);
        }
    }

    private long totalBytes() throws IOException {
        try (var files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    @Test
    void refusesASecondOpenerAndSaysWhoHasTheFolder() throws Exception {
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(new Seen());
            assertThatThrownBy(() -> new FileStoreLog(folder).open(new Seen())).isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString()).hasMessageContaining("process " + ProcessHandle.current().pid());
        }
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(new Seen());
        }
    }

    @Test
    void appendsEntriesThatBelongTogetherAsOne() throws Exception {
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(new Seen());
            assertThat(log.append(List.of(new Entry("a", bytes("1")), new Entry("b", bytes("2")))).get(10, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void takesAppendsFromManyThreadsWithFewForces() throws Exception {
        FaultyFiles files = new FaultyFiles();
        Seen seen = new Seen();
        int threads = 16;
        int each = 200;
        try (StoreLog log = new FileStoreLog(folder, Compaction.Limits.DEFAULT, files)) {
            log.open(seen);
            files.forces.set(0);
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            try {
                List<Future<List<Long>>> positions = new ArrayList<>();
                for (int t = 0; t < threads; t++) {
                    String name = "thread" + t + "-";
                    positions.add(pool.submit(() -> {
                        List<CompletableFuture<Long>> own = new ArrayList<>();
                        for (int i = 0; i < each; i++) {
                            own.add(log.append(name + i, bytes("v")));
                        }
                        return own.stream().map(CompletableFuture::join).toList();
                    }));
                }
                List<Long> all = new ArrayList<>();
                for (Future<List<Long>> own : positions) {
                    assertThat(own.get(30, TimeUnit.SECONDS)).as("each thread's own order").isSorted();
                    all.addAll(own.get());
                }
                assertThat(all).hasSize(threads * each).doesNotHaveDuplicates();
            } finally {
                pool.shutdownNow();
            }
            assertThat(files.forces.get()).as("forces for %s appends", threads * each).isLessThan(threads * each / 2);
            assertThat(seen.values()).hasSize(threads * each);
        }
    }

    @Test
    void keepsRunningWhenItsFollowerFails() throws Exception {
        Seen seen = new Seen();
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open((position, key, value) -> {
                if (key.equals("bad")) {
                    throw new IllegalStateException("the follower's own");
                }
                seen.apply(position, key, value);
            });
            CompletableFuture<Long> bad = log.append("bad", bytes("1"));
            assertThatThrownBy(() -> bad.get(10, TimeUnit.SECONDS)).hasMessageContaining("'bad' is in the store").hasMessageContaining("the follower's own");
            append(log, "good", "2");
            assertThat(seen.values()).containsOnlyKeys("good");
        }
    }

    @Test
    void refusesAKeyThatCannotBeWrittenAndAnEntryThatIsTooLarge() throws Exception {
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(new Seen());
            assertThatThrownBy(() -> append(log, "\ud800", "v")).hasCauseInstanceOf(IOException.class).hasMessageContaining("surrogate");
            assertThatThrownBy(() -> log.append("big", new byte[17 << 20]).get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("at most").hasMessageContaining("'big'");
            append(log, "fine", "v".repeat(1 << 20));
        }
    }

    @Test
    void refusesMoreThanItCanHoldInMemory() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open((position, key, value) -> {
                try {
                    release.await(20, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            List<CompletableFuture<Long>> appends = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                appends.add(log.append("k" + i, new byte[8 << 20]));
            }
            assertThat(appends).filteredOn(CompletableFuture::isCompletedExceptionally).isNotEmpty().hasSizeLessThan(6);
            release.countDown();
            appends.removeIf(CompletableFuture::isCompletedExceptionally);
            CompletableFuture.allOf(appends.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void confirmsWhatWaitsWhenItIsClosed() throws Exception {
        StoreLog log = new FileStoreLog(folder);
        log.open(new Seen());
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            appends.add(log.append("k" + i, bytes("v")));
        }
        log.close();
        assertThat(appends).allMatch(append -> append.isDone() && !append.isCompletedExceptionally());
        assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName).doesNotContain("sluice-store-" + folder.getFileName());
    }

    @Test
    void refusesWhatComesAfterItWasClosed() throws Exception {
        StoreLog log = new FileStoreLog(folder);
        assertThat(log.append("a", bytes("1"))).isCompletedExceptionally();
        log.open(new Seen());
        log.close();
        log.close();
        assertThat(log.append("a", bytes("1"))).isCompletedExceptionally();
    }
}
