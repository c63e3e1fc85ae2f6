package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full, or fails, and recovers. */
class FullDiskTest {

    @TempDir
    Path folder;

    private final FaultyFiles disk = new FaultyFiles();

    private static void append(StoreLog log, String key, String value) throws Exception {
        log.append(key, value.getBytes(StandardCharsets.UTF_8)).get(10, TimeUnit.SECONDS);
    }

    private Map<String, String> reopened() throws IOException {
        Seen seen = new Seen();
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(seen);
        }
        assertThat(seen.positions()).isSorted().doesNotHaveDuplicates();
        return seen.values();
    }

    private static void assertRefused(StoreLog log, String key, String why) {
        assertThatThrownBy(() -> append(log, key, "x".repeat(500))).cause().isInstanceOf(IOException.class)
            .hasMessageContainingAll("cannot write to the store", ".log", why, "nothing was changed");
    }

    @Test
    void refusesEntriesWhileTheDiskIsFullAndTakesThemWhenThereIsSpaceAgain() throws Exception {
        Seen seen = new Seen();
        try (StoreLog log = new FileStoreLog(folder, Compaction.Limits.DEFAULT, disk)) {
            log.open(seen);
            append(log, "before", "1");
            for (int space = 0; space < 520; space += 40) {
                disk.space.set(space);
                assertRefused(log, "refused", "No space left on device");
            }
            disk.space.set(Long.MAX_VALUE);
            append(log, "after", "2");
            assertThat(seen.values()).isEqualTo(Map.of("before", "1", "after", "2"));
        }
        assertThat(reopened()).isEqualTo(seen.values());
    }

    @Test
    void doesNotKeepWhatCouldNotBeForced() throws Exception {
        Seen seen = new Seen();
        try (StoreLog log = new FileStoreLog(folder, Compaction.Limits.DEFAULT, disk)) {
            log.open(seen);
            append(log, "before", "1");
            // The force itself, and the one that follows the cut.
            disk.failingForces.set(2);
            assertRefused(log, "refused", "Input/output error");
            disk.failingTruncations.set(1);
            assertRefused(log, "refused", "Input/output error");
            append(log, "after", "2");
        }
        assertThat(reopened()).isEqualTo(Map.of("before", "1", "after", "2"));
    }

    @Test
    void goesOnWhenThereIsNoSpaceToCompact() throws Exception {
        Seen seen = new Seen();
        List<String> refused = new ArrayList<>();
        disk.careless = true;
        try (StoreLog log = new FileStoreLog(folder, new Compaction.Limits(2_000, 300), disk)) {
            log.open(seen);
            for (int i = 0; i < 600; i++) {
                // Enough for some entries, but not always for the copy of all that count.
                disk.space.set(i % 3 == 0 ? 400 : 150);
                try {
                    append(log, "key" + i % 40, "value " + i);
                } catch (ExecutionException e) {
                    refused.add("key" + i % 40);
                }
            }
            disk.space.set(Long.MAX_VALUE);
            assertThat(seen.values()).hasSize(40);
            assertThat(refused).isNotEmpty();
            for (int i = 0; i < 1_000; i++) {
                append(log, "key" + i % 40, "again " + i);
            }
        }
        assertThat(reopened()).isEqualTo(seen.values());
        assertThat(folder.toFile().listFiles((parent, name) -> name.endsWith(".log")))
            .singleElement().satisfies(file -> assertThat(file.length()).as("compacted in the end").isLessThan(12_000));
    }

    @Test
    void confirmsNothingWhileItIsNotSureThatANewFileStays() throws Exception {
        Seen seen = new Seen();
        try (StoreLog log = new FileStoreLog(folder, new Compaction.Limits(2_000, 300), disk)) {
            log.open(seen);
            disk.failingFolderForces.set(Integer.MAX_VALUE);
            int appended = 0;
            for (boolean refused = false; !refused && appended < 1_000; appended++) {
                try {
                    append(log, "key" + appended % 5, "value " + appended);
                } catch (ExecutionException e) {
                    refused = true;
                }
            }
            assertThat(appended).as("refused once it was compacted").isLessThan(1_000);
            disk.failingFolderForces.set(0);
            append(log, "after", "a");
            assertThat(folder.toFile().list()).as("the old file is gone").hasSize(2);
        }
        assertThat(reopened()).isEqualTo(seen.values()).containsEntry("after", "a");
    }

    @Test
    void saysSoWhenTheFolderCannotBeMade() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> new FileStoreLog(file.resolve("store")).open(new Seen())).isInstanceOf(IOException.class);
        disk.space.set(10);
        assertThatThrownBy(() -> new FileStoreLog(folder.resolve("new"), Compaction.Limits.DEFAULT, disk).open(new Seen())).isInstanceOf(IOException.class)
            .hasMessageContaining("No space left on device");
        disk.space.set(Long.MAX_VALUE);
        try (StoreLog log = new FileStoreLog(folder.resolve("new"), Compaction.Limits.DEFAULT, disk)) {
            log.open(new Seen());
        }
    }
}
