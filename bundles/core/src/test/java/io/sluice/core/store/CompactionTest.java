package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crash at every point of a compaction, as it shows on the disk. */
class CompactionTest {

    @TempDir
    Path folder;

    private Path before;
    private Path after;
    private Map<String, String> state;
    private long lastPosition;

    /** The same log before and after it was compacted, and nothing else. */
    @BeforeEach
    void compactOnce() throws Exception {
        before = folder.resolve("before");
        after = folder.resolve("after");
        try (StoreLog log = new FileStoreLog(before, new Compaction.Limits(Long.MAX_VALUE, 1 << 20), FaultyFiles.careless())) {
            log.open(new Seen());
            for (int i = 0; i < 500; i++) {
                byte[] value = i % 50 == 9 ? null : ("value " + i).getBytes(StandardCharsets.UTF_8);
                log.append("key" + i % 50, value).get(10, TimeUnit.SECONDS);
            }
        }
        Files.createDirectories(after);
        Files.copy(before.resolve("000000000001.log"), after.resolve("000000000001.log"));
        try (StoreLog log = new FileStoreLog(after, new Compaction.Limits(100, 1 << 20), FaultyFiles.careless())) {
            log.open(new Seen());
            log.append("last", "z".getBytes(StandardCharsets.UTF_8)).get(10, TimeUnit.SECONDS);
        }
        try (StoreLog log = new FileStoreLog(before, new Compaction.Limits(Long.MAX_VALUE, 1 << 20), FaultyFiles.careless())) {
            log.open(new Seen());
            log.append("last", "z".getBytes(StandardCharsets.UTF_8)).get(10, TimeUnit.SECONDS);
        }
        assertThat(names(after)).containsExactly("000000000002.log", "lock");
        Seen seen = new Seen();
        try (StoreLog log = new FileStoreLog(before)) {
            log.open(seen);
        }
        state = seen.values();
        lastPosition = seen.lastPosition();
        assertThat(state).hasSize(50);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void assertComplete(Path crashed, String expectedFile) throws Exception {
        Seen seen = new Seen();
        try (StoreLog log = new FileStoreLog(crashed)) {
            log.open(seen);
            assertThat(seen.values()).isEqualTo(state);
            assertThat(List.copyOf(seen.values().keySet())).as("order").isEqualTo(List.copyOf(state.keySet()));
            assertThat(seen.lastPosition()).isEqualTo(lastPosition);
            assertThat(names(crashed)).containsExactly(expectedFile, "lock");
            assertThat(log.append("next", new byte[1]).get(10, TimeUnit.SECONDS)).isEqualTo(lastPosition + 1);
        }
    }

    @Test
    void losesNothingWhenItIsDone() throws Exception {
        assertThat(Files.size(after.resolve("000000000002.log"))).isLessThan(Files.size(before.resolve("000000000001.log")) / 4);
        assertComplete(after, "000000000002.log");
    }

    @Test
    void ignoresAFileThatWasNotFinished() throws Exception {
        byte[] complete = Files.readAllBytes(after.resolve("000000000002.log"));
        for (int length : new int[] {0, 1, LogFormat.HEADER_BYTES, complete.length / 2, complete.length}) {
            Path crashed = copyOf(before, "unfinished" + length);
            Files.write(crashed.resolve("000000000002.log.tmp"), Arrays.copyOf(complete, length));
            assertComplete(crashed, "000000000001.log");
        }
    }

    @Test
    void takesTheNewFileWhenTheOldOneIsStillThere() throws Exception {
        Path crashed = copyOf(after, "both");
        Files.copy(before.resolve("000000000001.log"), crashed.resolve("000000000001.log"));
        assertComplete(crashed, "000000000002.log");
    }

    @Test
    void leavesTheOldFileWhereItIsWhenTheNewOneIsDamaged() throws Exception {
        Path crashed = copyOf(after, "damaged");
        Files.copy(before.resolve("000000000001.log"), crashed.resolve("000000000001.log"));
        byte[] content = Files.readAllBytes(crashed.resolve("000000000002.log"));
        content[content.length / 2] ^= 1;
        Files.write(crashed.resolve("000000000002.log"), content);
        StoreLog log = new FileStoreLog(crashed);
        assertThatThrownBy(() -> log.open(new Seen())).isInstanceOf(IOException.class).hasMessageContaining("000000000002.log");
        assertThat(names(crashed)).contains("000000000001.log", "000000000002.log");
    }

    private Path copyOf(Path source, String name) throws IOException {
        Path copy = Files.createDirectory(folder.resolve(name));
        for (String file : names(source)) {
            Files.copy(source.resolve(file), copy.resolve(file));
        }
        return copy;
    }
}
