package io.sluice.connector.file.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.connector.api.data.ConnectRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class FileSelectionTest {

    @TempDir
    Path directory;

    private Path write(String name, String text) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void picksUpFilesThatComeToMatchAGlob() throws Exception {
        write("logs/a.log", "a\n");
        write("logs/x.txt", "no\n");
        write("logs/old.log.gz", "no\n");
        try (SourceRun run = new SourceRun("files", directory + "/logs/*.{log,log.gz}", "start.from", "end").start()) {
            run.pollIdle();
            assertThat(run.lines()).as("what is there at the start counts as old").isEmpty();
            write("logs/b.log", "b\n");
            write("logs/deep/c.log", "no\n");
            Files.createDirectory(directory.resolve("logs/d.log"));
            run.pollAll(1);
            assertThat(run.lines()).containsExactly("b");
        }
    }

    @Test
    void looksIntoDirectoriesBelow() throws Exception {
        write("one/app.log", "1\n");
        try (SourceRun run = new SourceRun("files", directory + "/**/*.log," + directory + "/two/extra.txt").start()) {
            run.pollAll(1);
            write("two/deep/app.log", "2\n");
            write("two/extra.txt", "3\n");
            run.pollAll(3);
            assertThat(run.lines()).containsExactlyInAnyOrder("1", "2", "3");
        }
    }

    @Test
    void takesCharactersLiterallyBehindABackslashAndInFile() throws Exception {
        Path odd = write("a[1]*,{b}.log", "odd\n");
        write("a1x,b.log", "not this\n");
        for (String[] config : new String[][] {{"file", odd.toString()}, {"files", directory + "/a\\[1\\]\\*\\,\\{b\\}.log"}, {"files", directory + "/a\\[?\\]\\*\\,\\{b\\}.log"}}) {
            try (SourceRun run = new SourceRun((Object[]) config).start()) {
                assertThat(run.pollAll(1).lines()).as(config[1]).containsExactly("odd");
            }
        }
    }

    @Test
    void sharesFilesOutOverTasksSoThatEachHasExactlyOneReader() throws Exception {
        for (int i = 0; i < 40; i++) {
            write("app" + (char) ('a' + i % 26) + i + "x.log", "line of " + i + "\n");
        }
        try (SourceRun run = new SourceRun("files", directory + "/*.log").start(3)) {
            Set<Integer> busy = new HashSet<>();
            for (int i = 0; i < 30; i++) {
                for (int task = 0; task < 3; task++) {
                    if (!run.poll(task).isEmpty()) {
                        busy.add(task);
                    }
                }
            }
            assertThat(run.lines()).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 40).mapToObj(i -> "line of " + i).toList());
            assertThat(busy).containsExactlyInAnyOrder(0, 1, 2);
        }
    }

    @Test
    void goesOnAfterTheNumberOfTasksHasChanged() throws Exception {
        for (int i = 0; i < 10; i++) {
            write("f" + (char) ('a' + i) + ".log", i + "\n");
        }
        try (SourceRun run = new SourceRun("files", directory + "/*.log")) {
            run.start(2).pollAll(10).stop();
            for (int i = 0; i < 10; i++) {
                Files.writeString(directory.resolve("f" + (char) ('a' + i) + ".log"), i + " again\n", java.nio.file.StandardOpenOption.APPEND);
            }
            run.start(3).pollAll(20);
            assertThat(run.lines()).hasSize(20).doesNotHaveDuplicates();
        }
    }

    @Test
    void givesSinglePathsToTasksInTurn() throws Exception {
        write("a.log", "a\n");
        write("b.log", "b\n");
        write("b.log.1", "b1\n");
        try (SourceRun run = new SourceRun("files", directory + "/a.log," + directory + "/b.log," + directory + "/b.log.1").start(5)) {
            List<ConnectRecord> first = run.poll(0);
            List<ConnectRecord> second = run.poll(1);
            assertThat(first).extracting(ConnectRecord::getData).containsExactly("a");
            assertThat(second).extracting(ConnectRecord::getData).containsExactlyInAnyOrder("b", "b1");
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> run.task(2))).as("no third task").isNotNull();
        }
    }

    @Test
    void readsAFileOfTwoNamesOnce() throws Exception {
        Path file = write("a.log", "a\n");
        Files.createSymbolicLink(directory.resolve("b.log"), file);
        Files.createLink(directory.resolve("c.log"), file);
        try (SourceRun run = new SourceRun("files", directory + "/*.log").start()) {
            assertThat(run.pollAll(1).lines()).containsExactly("a");
        }
    }

    @Test
    void followsASymbolicLinkToItsNextTarget() throws Exception {
        Path first = write("pods/0.log", "one\n");
        Path link = directory.resolve("container.log");
        Files.createSymbolicLink(link, first);
        try (SourceRun run = new SourceRun("file", link).start()) {
            run.pollAll(1);
            Files.move(first, directory.resolve("pods/0.log.20261201-1000"));
            write("pods/0.log", "two\n");
            run.pollAll(2);
            Files.delete(link);
            Files.createSymbolicLink(link, write("pods/1.log", "three\n"));
            assertThat(run.pollAll(3).lines()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void forgetsFilesThatAreDeletedAndReadsNewOnesOfTheSameName() throws Exception {
        write("a.log", "one\nunfinished");
        try (SourceRun run = new SourceRun("files", directory + "/*.log").start()) {
            run.pollAll(1);
            Files.delete(directory.resolve("a.log"));
            run.pollUntil(() -> run.records.size() == 2, java.time.Duration.ofSeconds(10));
            write("a.log", "two\n");
            assertThat(run.pollAll(3).lines()).containsExactly("one", "unfinished", "two");
        }
    }

    @Test
    void findsTheRestUnderTheRotatedNameWhenNothingIsAtThePathYet() throws Exception {
        write("app.log", "one\n");
        try (SourceRun run = new SourceRun("files", directory + "/app*")) {
            run.start().pollAll(1).stop();
            Files.writeString(directory.resolve("app.log"), "two\n", java.nio.file.StandardOpenOption.APPEND);
            Files.move(directory.resolve("app.log"), directory.resolve("app.log.1"));
            run.start().pollAll(2);
            write("app.log", "three\n");
            assertThat(run.pollAll(3).lines()).containsExactly("one", "two", "three");
        }
    }

    @ParameterizedTest
    @CsvSource({"app.log,app.log", "app.log.1,app.log", "app-1.log,app.log", "app-2026-12-01-3.log,app.log", "app.log.old,app.log",
        "app.log-20261201T101500Z,app.log", "app-errors.log,app-errors.log", "1.log,1.log", "app.2026-12-01.log.2,app.log", ".hidden,.hidden"})
    void knowsTheNamesOfRotatedFiles(String name, String original) {
        assertThat(RotatedNames.original(name)).isEqualTo(original);
        assertThat(new RotatedNames(original).matches(name)).isEqualTo(!name.equals(original));
        assertThat(new RotatedNames(name).matches(name)).isFalse();
    }
}
