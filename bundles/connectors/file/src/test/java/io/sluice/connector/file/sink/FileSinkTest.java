package io.sluice.connector.file.sink;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.component.task.sink.ErrorRecordReporter;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import io.sluice.spi.AsyncErrorReporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSinkTest {

    @TempDir
    Path directory;
    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("out/app.log");
    }

    private List<String> names() throws Exception {
        try (var paths = Files.list(file.getParent())) {
            return paths.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void writesEachValueAsALine() throws Exception {
        try (SinkRun run = new SinkRun("file", file)) {
            run.put("text", "bytes \u00e4".getBytes(java.nio.charset.StandardCharsets.UTF_8), 42L, true, null, Map.of("a", List.of(1, "x")), "");
        }
        assertThat(file).content().isEqualTo("text\nbytes \u00e4\n42\ntrue\n\n{\"a\":[1,\"x\"]}\n\n");
    }

    @Test
    void writesAllValuesAsJsonWhenAsked() throws Exception {
        try (SinkRun run = new SinkRun("file", file, "format", "json", "line.separator", "crlf")) {
            run.put("two\nlines", new byte[] {1, 2}, 1.5, null);
        }
        assertThat(file).content().isEqualTo("\"two\\nlines\"\r\n\"AQI=\"\r\n1.5\r\nnull\r\n");
    }

    @Test
    void keepsARecordOnOneLineWhenAsked() throws Exception {
        try (SinkRun run = new SinkRun("file", file, "line.breaks", "escape")) {
            run.put("a\nb\r\\c", "plain");
        }
        assertThat(file).content().isEqualTo("a\\nb\\r\\\\c\nplain\n");
    }

    @Test
    void goesOnAtTheEndAfterARestart() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (SinkRun run = new SinkRun("file", file)) {
                run.put("line " + i).commit();
            }
        }
        assertThat(file).content().isEqualTo("line 0\nline 1\nline 2\n");
    }

    @Test
    void keepsTheOldFileWhenToldNotToAppend() throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "old\n");
        try (SinkRun run = new SinkRun("file", file, "append", false)) {
            run.put("one").commit().put("two");
        }
        assertThat(file).content().isEqualTo("one\ntwo\n");
        assertThat(file.resolveSibling("app-20261201T120000Z.log")).content().isEqualTo("old\n");
    }

    @Test
    void rollsBySizeAtLineEndsAndOverwritesNothing() throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file.resolveSibling("app-20261201T120000Z.log"), "somebody else's\n");
        List<String> lines = IntStream.range(0, 100).mapToObj(i -> "line " + i).toList();
        try (SinkRun run = new SinkRun("file", file, "roll.size.bytes", 100)) {
            for (int i = 0; i < 100; i += 20) {
                run.put(lines.subList(i, i + 20).toArray()).commit();
            }
            run.put("x".repeat(500), "last");
        }
        List<String> all = new ArrayList<>();
        List<String> rolled = names().stream().filter(name -> name.startsWith("app-")).sorted(java.util.Comparator.comparingInt(FileSinkTest::number)).toList();
        assertThat(rolled).startsWith("app-20261201T120000Z.log", "app-20261201T120000Z-2.log", "app-20261201T120000Z-3.log");
        assertThat(file.resolveSibling(rolled.get(0))).content().isEqualTo("somebody else's\n");
        for (String name : rolled.subList(1, rolled.size())) {
            all.addAll(Files.readAllLines(file.resolveSibling(name)));
            assertThat(Files.size(file.resolveSibling(name))).satisfiesAnyOf(size -> assertThat(size).isLessThanOrEqualTo(100), size -> assertThat(size).isEqualTo(501));
        }
        all.addAll(Files.readAllLines(file));
        assertThat(all).startsWith(lines.toArray(String[]::new)).endsWith("x".repeat(500), "last").hasSize(102);
    }

    private static int number(String name) {
        String number = name.replaceAll("app-20261201T120000Z-?(\\d*)\\.log", "$1");
        return number.isEmpty() ? 1 : Integer.parseInt(number);
    }

    @Test
    void rollsByTimeWithTheNextRecordOrCommit() throws Exception {
        try (SinkRun run = new SinkRun("file", file, "roll.interval.ms", 60_000)) {
            run.put("one");
            run.setTime(run.time().plusSeconds(59));
            run.put("two").commit();
            assertThat(names()).containsExactly("app.log");
            run.setTime(run.time().plusSeconds(1));
            run.commit();
            assertThat(names()).containsExactly("app-20261201T120100Z.log");
            run.setTime(run.time().plusSeconds(90));
            run.commit().put("three");
            assertThat(names()).as("an interval without lines makes no file").containsExactly("app-20261201T120100Z.log", "app.log");
            run.setTime(run.time().plusSeconds(60));
            run.put("four");
            assertThat(file).content().isEqualTo("four\n");
        }
        assertThat(file.resolveSibling("app-20261201T120100Z.log")).content().isEqualTo("one\ntwo\n");
    }

    @Test
    void movesATornLastLineAside() throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "whole\nhal");
        try (SinkRun run = new SinkRun("file", file)) {
            run.put("half");
        }
        assertThat(file).content().isEqualTo("whole\nhalf\n");
        assertThat(file.resolveSibling("app.log.torn")).content().isEqualTo("hal\n");
    }

    @Test
    void completesATornLastLineWhenAsked() throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "whole\nhal");
        try (SinkRun run = new SinkRun("file", file, "torn.line", "complete")) {
            run.put("half");
        }
        assertThat(file).content().isEqualTo("whole\nhal\nhalf\n");
    }

    @Test
    void repairsTornLinesOfWideCharacters() throws Exception {
        Files.createDirectories(file.getParent());
        // The first byte of the separator is there, the second isn't; and a character whose bytes look like the separator.
        byte[] torn = ("\ufeffwhole\n\u0a00\u0d00hal").getBytes(UTF_16BE);
        Files.write(file, java.util.Arrays.copyOf(torn, torn.length - 1));
        try (SinkRun run = new SinkRun("file", file, "charset", "UTF-16")) {
            run.put("half");
        }
        assertThat(Files.readString(file, java.nio.charset.StandardCharsets.UTF_16)).isEqualTo("whole\nhalf\n");
        Path little = directory.resolve("little.log");
        Files.write(little, java.util.Arrays.copyOf("a\r\nbb".getBytes(UTF_16LE), 9));
        try (SinkRun run = new SinkRun("file", little, "charset", "UTF-16LE", "line.separator", "crlf", "torn.line", "complete")) {
            run.put("c");
        }
        assertThat(Files.readString(little, UTF_16LE)).isEqualTo("a\r\nb\r\nc\r\n");
    }

    @Test
    void beginsEachFileOfUtf16WithOneByteOrderMark() throws Exception {
        try (SinkRun run = new SinkRun("file", file, "charset", "UTF-16", "roll.size.bytes", 12)) {
            run.put("a", "b").put("c").commit();
        }
        try (SinkRun run = new SinkRun("file", file, "charset", "UTF-16", "roll.size.bytes", 12)) {
            run.put("d");
        }
        assertThat(file).hasBinaryContent("\ufeffc\nd\n".getBytes(UTF_16BE));
        assertThat(file.resolveSibling("app-20261201T120000Z.log")).hasBinaryContent("\ufeffa\nb\n".getBytes(UTF_16BE));
    }

    @Test
    void separatesTopicsAndClosesFilesUsedLongAgo() throws Exception {
        try (SinkRun run = new SinkRun("file", directory + "/{topic}/${topic}.log")) {
            List<ConnectRecord> records = new ArrayList<>();
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 100; i++) {
                    records.add(SinkRun.record("t" + i, null, "round " + round));
                }
            }
            records.add(SinkRun.record("../up", null, "contained"));
            run.put(records).commit();
            try (var open = Files.list(Path.of("/proc/self/fd"))) {
                assertThat(open.filter(descriptor -> isBelow(descriptor, directory)).count()).isLessThanOrEqualTo(64);
            }
            run.put(List.of(SinkRun.record("t0", null, "round 2")));
        }
        assertThat(directory.resolve("t0/t0.log")).content().isEqualTo("round 0\nround 1\nround 2\n");
        assertThat(directory.resolve("t99/t99.log")).content().isEqualTo("round 0\nround 1\n");
        assertThat(directory.resolve(".._up/.._up.log")).content().isEqualTo("contained\n");
    }

    private static boolean isBelow(Path descriptor, Path directory) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(directory);
        } catch (java.io.IOException e) {
            return false;
        }
    }

    @Test
    void refusesAFileThatAnotherTaskWrites() throws Exception {
        try (SinkRun one = new SinkRun("file", file); SinkRun other = new SinkRun("file", file)) {
            one.put("one");
            assertThatThrownBy(() -> other.put("other")).isInstanceOf(RetriableException.class)
                .hasMessage(file + " is being written by another task or process; give each its own 'file', with ${task} for its tasks");
            one.close();
            other.put("other");
        }
        assertThat(file).content().isEqualTo("one\nother\n");
    }

    @Test
    void neverMixesLinesOfConcurrentTasks() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int task = 0; task < 3; task++) {
            int number = task;
            threads.add(new Thread(() -> {
                try (SinkRun run = new SinkRun(new SinkRun.Share(number, 3), "file", file, "fsync", false)) {
                    for (int i = 0; i < 200; i++) {
                        run.put(IntStream.range(0, 50).mapToObj(line -> ("task " + number + " ").repeat(20)).toArray());
                    }
                }
            }, "sluice-test-sink-" + task));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(30_000);
        }
        for (int task = 0; task < 3; task++) {
            assertThat(Files.readAllLines(file.resolveSibling("app-" + task + ".log"))).hasSize(10_000).containsOnly(("task " + task + " ").repeat(20));
        }
    }

    @Test
    void beginsANewFileWhenSomebodyRotatesOrDeletesIt() throws Exception {
        try (SinkRun run = new SinkRun("file", file)) {
            run.put("one");
            Files.move(file, file.resolveSibling("app.log.1"));
            run.put("two");
            Files.delete(file);
            run.put("three");
            Files.writeString(file, "");
            run.put("four");
        }
        assertThat(file.resolveSibling("app.log.1")).content().isEqualTo("one\n");
        assertThat(file).content().isEqualTo("four\n");
    }

    @Test
    void forcesToDiskBeforeACommitButNotWithEachBatch() throws Exception {
        assertThat(forced(true, run -> run.put("one").put("two"))).doesNotContain(file.toString());
        assertThat(forced(true, run -> run.put("one").put("two").commit())).containsOnlyOnce(file.toString());
        assertThat(forced(true, run -> run.put("one").commit().commit())).containsOnlyOnce(file.toString());
        assertThat(forced(false, run -> run.put("one").commit())).isEmpty();
    }

    /** The paths that were forced to disk, as the Java flight recorder saw it. */
    private List<String> forced(boolean fsync, java.util.function.Consumer<SinkRun> steps) throws Exception {
        Files.deleteIfExists(file);
        try (Recording recording = new Recording(); SinkRun run = new SinkRun("file", file, "fsync", fsync)) {
            recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
            recording.start();
            steps.accept(run);
            recording.stop();
            Path dump = directory.resolve("recording.jfr");
            recording.dump(dump);
            return RecordingFile.readAllEvents(dump).stream().map(event -> String.valueOf(event.getString("path"))).toList();
        }
    }

    @Test
    void reportsAValueWithoutTextFormAndGoesOn() throws Exception {
        List<Object> reported = new ArrayList<>();
        CompletableFuture<Void> safe = new CompletableFuture<>();
        AsyncErrorReporter reporter = new AsyncErrorReporter() {
            @Override
            public CompletionStage<Void> reportAsync(ConnectRecord record, Throwable error) {
                reported.add(error.getMessage());
                return safe;
            }

            @Override
            public void report(ConnectRecord record, Throwable error) {
                throw new UnsupportedOperationException();
            }
        };
        try (SinkRun run = new SinkRun("file", file).reportTo(reporter)) {
            run.put("one", new Object(), "two");
            assertThat(reported).containsExactly("a value of java.lang.Object has no text form");
            safe.completeExceptionally(new ConnectException("not tolerated"));
            assertThatThrownBy(run::commit).hasMessageContaining("not tolerated");
        }
        assertThat(file).content().isEqualTo("one\ntwo\n");
        ErrorRecordReporter simple = (record, error) -> reported.add(record.getData());
        try (SinkRun run = new SinkRun("file", file).reportTo(simple)) {
            run.put(Instant.EPOCH, new Thread("not started"), "three").commit();
            assertThat(reported).hasSize(2);
        }
    }

    @Test
    void leavesNothingOfABatchThatFails() throws Exception {
        try (SinkRun run = new SinkRun("file", file)) {
            run.put("one");
            assertThatThrownBy(() -> run.put("two", new Object())).isInstanceOf(ConnectException.class);
            run.put("two", "three");
        }
        assertThat(file).content().isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void losesNothingWhenItsThreadIsInterrupted() throws Exception {
        try (SinkRun run = new SinkRun("file", file)) {
            run.put("one");
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> run.put("two")).isInstanceOf(RetriableException.class);
            assertThat(Thread.interrupted()).isTrue();
            run.put("two", "three").commit();
        }
        assertThat(file).content().isEqualTo("one\ntwo\nthree\n");
    }
}
