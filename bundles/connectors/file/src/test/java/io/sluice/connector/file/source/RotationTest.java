package io.sluice.connector.file.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.file.source.Writer.Rotation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class RotationTest {

    private static final int LINES = 200_000;
    private static final int LINES_OF_A_FILE = 7_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(Rotation.class)
    void readsEveryLineOnceAndInOrderWhileAFastWriterRotates(Rotation rotation) throws Exception {
        Path file = directory.resolve("app.log");
        try (SourceRun run = new SourceRun("file", file).start()) {
            writeInBackground(file, rotation, 100).get(60, TimeUnit.SECONDS);
            run.pollAll(LINES);
            assertAllLines(run, LINES);
        }
    }

    @ParameterizedTest
    @EnumSource(Rotation.class)
    void readsAlongWhileAFastWriterRotates(Rotation rotation) throws Exception {
        Path file = directory.resolve("app.log");
        try (SourceRun run = new SourceRun("file", file, "batch.max.lines", 500).start()) {
            CompletableFuture<Void> writing = writeInBackground(file, rotation, 100);
            run.pollUntil(() -> run.records.size() >= LINES || writing.isCompletedExceptionally(), Duration.ofSeconds(60));
            writing.get(60, TimeUnit.SECONDS);
            run.pollIdle();
            assertAllLines(run, LINES);
        }
    }

    @ParameterizedTest
    @EnumSource(Rotation.class)
    void readsEveryLineOnceThroughAGlobThatMatchesRotatedNames(Rotation rotation) throws Exception {
        Path file = directory.resolve("app.log");
        Files.createFile(file);
        try (SourceRun run = new SourceRun("files", directory + "/app*", "scan.interval.ms", 1).start()) {
            CompletableFuture<Void> writing = writeInBackground(file, rotation, 100);
            run.pollUntil(() -> run.records.size() >= LINES || writing.isCompletedExceptionally(), Duration.ofSeconds(60));
            writing.get(60, TimeUnit.SECONDS);
            run.pollIdle();
            // A file that rotated twice between two looks is a file of its own for a glob, so the order across files is not promised.
            assertThat(run.lines()).hasSize(LINES).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource(Rotation.class)
    void survivesRestartsAtAnyPointBetweenRotations(Rotation rotation) throws Exception {
        Path file = directory.resolve("app.log");
        int total = 0;
        try (Writer writer = new Writer(file); SourceRun run = new SourceRun("file", file, "batch.max.lines", 37)) {
            for (int round = 0; round < 12; round++) {
                writer.write(100);
                run.start();
                run.poll();
                run.poll();
                run.stop();
                writer.write(50);
                for (int i = 0; i < round % 4; i++) {
                    writer.rotate(rotation, 100);
                    writer.write(60);
                }
            }
            total = writer.written();
            run.start().pollAll(total);
            assertAllLines(run, total);
        }
    }

    @ParameterizedTest
    @EnumSource(Rotation.class)
    void survivesRestartsWithAGlobThatMatchesRotatedNames(Rotation rotation) throws Exception {
        Path file = directory.resolve("app.log");
        try (Writer writer = new Writer(file); SourceRun run = new SourceRun("files", directory + "/app*")) {
            for (int round = 0; round < 4; round++) {
                writer.write(100);
                run.start().pollAll(0);
                writer.write(50);
                run.pollIdle();
                writer.rotate(rotation, 100);
                writer.write(10);
                run.pollIdle();
                run.stop();
                writer.write(50);
                if (round % 2 == 0) {
                    writer.rotate(rotation, 100);
                    writer.write(30);
                }
            }
            run.start().pollAll(writer.written());
            assertThat(run.lines()).hasSize(writer.written()).doesNotHaveDuplicates();
        }
    }

    @Test
    void keepsUpWithFewKeptFilesWhoseInodesAreUsedAgain() throws Exception {
        Path file = directory.resolve("app.log");
        try (Writer writer = new Writer(file); SourceRun run = new SourceRun("file", file).start()) {
            for (int i = 0; i < 60; i++) {
                writer.write(20);
                writer.rotate(Rotation.LOGROTATE, 3);
                if (i % 2 == 0) {
                    run.pollUntil(() -> run.records.size() >= writer.written(), Duration.ofSeconds(5));
                }
            }
            run.pollAll(writer.written());
            assertAllLines(run, writer.written());
        }
    }

    @Test
    void readsTheRestOfAFileThatWasRotatedAndDeletedWhileOpen() throws Exception {
        Path file = directory.resolve("app.log");
        try (Writer writer = new Writer(file); SourceRun run = new SourceRun("file", file, "batch.max.lines", 10).start()) {
            writer.write(100);
            run.poll();
            writer.rotate(Rotation.LOGROTATE, 5);
            Files.delete(directory.resolve("app.log.1"));
            writer.write(100);
            run.pollAll(200);
            assertAllLines(run, 200);
        }
    }

    @Test
    void emitsTheUnfinishedLastLineOfARotatedFile() throws Exception {
        Path file = directory.resolve("app.log");
        Files.writeString(file, "one\ntwo");
        try (SourceRun run = new SourceRun("file", file).start()) {
            run.pollAll(1);
            assertThat(run.lines()).containsExactly("one");
            Files.move(file, directory.resolve("app.log.1"));
            Files.writeString(file, "three\n");
            run.pollAll(3);
            assertThat(run.lines()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void keepsReadingARotatedFileUntilItsSuccessorHasData() throws Exception {
        Path file = directory.resolve("app.log");
        Files.writeString(file, "one\n");
        try (SourceRun run = new SourceRun("file", file).start()) {
            run.pollAll(1);
            Files.move(file, directory.resolve("app.log.1"));
            Files.createFile(file);
            run.pollIdle();
            // logrotate makes the new file before the program has let go of the old one.
            Files.writeString(directory.resolve("app.log.1"), "two\n", StandardOpenOption.APPEND);
            run.pollIdle();
            Files.writeString(file, "three\n");
            run.pollAll(3);
            assertThat(run.lines()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void waitsForStragglersAfterTheSuccessorHasData() throws Exception {
        Path file = directory.resolve("app.log");
        Files.writeString(file, "one\n");
        try (SourceRun run = new SourceRun("file", file, "rotate.wait.ms", 400).start()) {
            run.pollAll(1);
            Files.move(file, directory.resolve("app.log.1"));
            Files.writeString(file, "three\n");
            run.poll();
            Files.writeString(directory.resolve("app.log.1"), "two\n", StandardOpenOption.APPEND);
            run.pollAll(3);
            assertThat(run.lines()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void leavesUnrelatedNeighboursAlone() throws Exception {
        Path file = directory.resolve("app.log");
        Files.writeString(file, "one\n");
        Files.writeString(directory.resolve("app-7.log"), "from before\n");
        try (SourceRun run = new SourceRun("file", file).start()) {
            run.pollAll(1);
            Files.writeString(directory.resolve("app-errors.log"), "error\n");
            Files.copy(file, directory.resolve("app.log-20261201"));
            Files.move(file, directory.resolve("saved"));
            Files.writeString(file, "two\n");
            run.pollAll(2);
            assertThat(run.lines()).containsExactly("one", "two");
        }
    }

    @Test
    void takesNothingForRotatedWhenToldSo() throws Exception {
        Path file = directory.resolve("app.log");
        Files.writeString(file, "one\n");
        try (SourceRun run = new SourceRun("file", file, "rotate.siblings", false).start()) {
            run.pollAll(1);
            Files.writeString(directory.resolve("app-7.log"), "unrelated\n");
            Files.writeString(file, "two\n", StandardOpenOption.APPEND);
            Files.move(file, directory.resolve("app.log.1"));
            Files.writeString(file, "three\n");
            run.pollAll(3);
            assertThat(run.lines()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void startsAgainInATruncatedFile() throws Exception {
        Path file = directory.resolve("app.log");
        try (SourceRun run = new SourceRun("file", file).start()) {
            Files.writeString(file, "one\ntwo\n");
            run.pollAll(2);
            Files.writeString(file, "three\n");
            run.pollAll(3);
            Files.writeString(file, "longer than all that was there before\nfour\n");
            run.pollAll(5);
            Files.writeString(file, "");
            run.pollIdle();
            Files.writeString(file, "five\n");
            run.pollAll(6);
            assertThat(run.lines()).containsExactly("one", "two", "three", "longer than all that was there before", "four", "five");
        }
    }

    @Test
    void noticesReplacementAndTruncationWhileStopped() throws Exception {
        Path file = directory.resolve("app.log");
        try (SourceRun run = new SourceRun("file", file)) {
            Files.writeString(file, "one\ntwo\n");
            run.start().pollAll(2).stop();
            Files.writeString(file, "other content that is longer\n");
            run.start().pollAll(3).stop();
            Files.delete(file);
            Files.writeString(file, "a new file that has the inode of the old one\n");
            run.start().pollAll(4).stop();
            Files.writeString(directory.resolve("new"), "moved here\n");
            Files.move(directory.resolve("new"), file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            run.start().pollAll(5);
            assertThat(run.lines()).containsExactly("one", "two", "other content that is longer",
                "a new file that has the inode of the old one", "moved here");
        }
    }

    @Test
    void goesOnInTheSameContentUnderAnotherInode() throws Exception {
        Path file = directory.resolve("app.log");
        try (SourceRun run = new SourceRun("file", file)) {
            Files.writeString(file, "one\ntwo\n");
            run.start().pollAll(2).stop();
            Files.writeString(directory.resolve("restored"), "one\ntwo\nthree\n");
            Files.move(directory.resolve("restored"), file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            run.start().pollAll(3);
            assertThat(run.lines()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void closesIdleFilesAndGoesOnInThem() throws Exception {
        Path file = directory.resolve("app.log");
        try (Writer writer = new Writer(file); SourceRun run = new SourceRun("file", file, "idle.close.ms", 1000).start()) {
            writer.write(10);
            run.pollUntil(() -> run.records.size() == 10 && openHandles(file) == 0, Duration.ofSeconds(10));
            assertThat(openHandles(file)).isZero();
            writer.write(5);
            run.pollAll(15);
            run.pollUntil(() -> openHandles(file) == 0, Duration.ofSeconds(10));
            writer.write(5);
            writer.rotate(Rotation.LOGROTATE, 5);
            writer.write(5);
            run.pollAll(25);
            assertAllLines(run, 25);
        }
    }

    /** How often this process has the file open for reading, not counting the writer of the test. */
    private static long openHandles(Path file) {
        try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(descriptor -> {
                try {
                    return Files.readSymbolicLink(descriptor).equals(file)
                        && !Files.readString(Path.of("/proc/self/fdinfo/" + descriptor.getFileName())).lines()
                            .filter(line -> line.startsWith("flags:")).allMatch(line -> line.endsWith("1"));
                } catch (IOException e) {
                    return false;
                }
            }).count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<Void> writeInBackground(Path file, Rotation rotation, int keep) {
        ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "sluice-test-writer"));
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            try (Writer writer = new Writer(file)) {
                while (writer.written() < LINES) {
                    writer.write(Math.min(LINES_OF_A_FILE, LINES - writer.written()));
                    if (writer.written() < LINES) {
                        writer.rotate(rotation, keep);
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }, executor);
        executor.shutdown();
        return done;
    }

    private static void assertAllLines(SourceRun run, int count) {
        List<String> expected = IntStream.range(0, count).mapToObj(Writer::line).toList();
        List<String> lines = run.lines();
        for (int i = 0; i < Math.min(count, lines.size()); i++) {
            assertThat(lines.get(i)).as("line %d of %d", i, lines.size()).isEqualTo(expected.get(i));
        }
        assertThat(lines).hasSize(count);
    }
}
