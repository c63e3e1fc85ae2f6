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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStoreLogTest {

    @TempDir
    Path folder;

    /** What a log told its follower. */
    private static final class Seen implements StoreLog.Follower {
        private final List<Long> positions = new ArrayList<>();
        private final Map<String, String> values = new LinkedHashMap<>();

        @Override
        public synchronized void apply(long position, String key, byte[] value) {
            positions.add(position);
            if (value == null) {
                values.remove(key);
            } else {
                values.put(key, new String(value, StandardCharsets.UTF_8));
            }
        }
    }

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
            assertThat(second.values).isEqualTo(first.values).isEqualTo(Map.of("a", "3", "", ""));
            assertThat(second.positions).isEqualTo(first.positions).isSorted().doesNotHaveDuplicates();
            assertThat(append(log, "c", "4")).isGreaterThan(first.positions.get(first.positions.size() - 1));
        }
    }

    @Test
    void confirmsAfterTheFollowerAppliedAndInOrder() throws Exception {
        Seen seen = new Seen();
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(seen);
            List<CompletableFuture<Integer>> known = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                known.add(log.append("key" + i, bytes("value")).thenApply(position -> seen.values.size()));
            }
            CompletableFuture.allOf(known.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
            assertThat(known).extracting(CompletableFuture::join).allMatch(size -> size > 0);
            assertThat(seen.values.keySet()).containsExactlyElementsOf(IntStream.range(0, 5_000).mapToObj(i -> "key" + i).toList());
        }
    }

    @Test
    void keepsWhatCountsAndItsOrderWhenItIsCompacted() throws Exception {
        Seen first = new Seen();
        try (StoreLog log = new FileStoreLog(folder, 10_000, FileChannel::open)) {
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
            assertThat(second.values).isEqualTo(first.values).containsEntry("kept", "first").hasSize(9);
            assertThat(second.positions).isSorted().doesNotHaveDuplicates();
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
    void refusesWhatComesAfterItWasClosed() throws Exception {
        StoreLog log = new FileStoreLog(folder);
        assertThat(log.append("a", bytes("1"))).isCompletedExceptionally();
        log.open(new Seen());
        log.close();
        log.close();
        assertThat(log.append("a", bytes("1"))).isCompletedExceptionally();
    }
}
