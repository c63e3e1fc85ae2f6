package io.sluice.connector.file.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SinkCrashTest {

    @TempDir
    Path directory;

    @Test
    void losesAndTearsNoLineWhenKilledAtAnyMoment() throws Exception {
        Path file = directory.resolve("app.log");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int committed = 0;
        for (int round = 0; round < 4; round++) {
            try (SinkProcess process = new SinkProcess(file, committed, 1_000, 5, 0)) {
                assertThat(process.read()).isEqualTo("ready");
                for (int i = random.nextInt(2) + 1; i > 0; i--) {
                    committed = numberIn(process.read(), committed);
                }
                // Somewhere within the next write; what was committed meanwhile is still said.
                long until = System.nanoTime() + random.nextInt(60_000_000);
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                process.kill();
                for (String said = process.read(); said != null; said = process.read()) {
                    committed = numberIn(said, committed);
                }
            }
        }
        try (SinkProcess process = new SinkProcess(file, committed, 1, 1, 0)) {
            String said = process.read();
            while (said != null && !said.equals("done")) {
                committed = numberIn(said, committed);
                said = process.read();
            }
            assertThat(said).isEqualTo("done");
        }
        List<String> lines = Files.readAllLines(file);
        int next = 0;
        for (String line : lines) {
            int number = Integer.parseInt(line.split(" ")[1]);
            assertThat(line).as("seed %d", seed).isEqualTo(SinkProcess.line(number));
            assertThat(number).as("a line after line %d, seed %d", next - 1, seed).isLessThanOrEqualTo(next);
            next = Math.max(next, number + 1);
        }
        assertThat(next).as("what was written and not committed may be there too").isGreaterThanOrEqualTo(committed);
        assertThat(Files.readString(file)).endsWith("\n");
    }

    private static int numberIn(String said, int otherwise) {
        return said != null && said.matches("committed \\d+") ? Integer.parseInt(said.substring(10)) : otherwise;
    }

    @Test
    void takesBackWhatDoesNotFitOnTheDiskAndSaysSo() throws Exception {
        Path file = directory.resolve("app.log");
        List<String> said = new ArrayList<>();
        // The shell counts blocks of 512 bytes: room for two batches and a half.
        int bytes = SinkProcess.BATCH * 985;
        try (SinkProcess process = new SinkProcess(file, 0, 4, 1, bytes * 5 / 2 / 512)) {
            for (String line = process.read(); line != null && !line.equals("done"); line = process.read()) {
                said.add(line);
            }
        }
        assertThat(said.subList(0, 3)).containsExactly("ready", "committed " + SinkProcess.BATCH, "committed " + 2 * SinkProcess.BATCH);
        assertThat(said.subList(3, said.size())).hasSize(2).allSatisfy(line ->
            assertThat(line).startsWith("RetriableException: cannot write (").contains("File too large").endsWith("nothing of the batch is left half-written"));
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(2 * SinkProcess.BATCH).endsWith(SinkProcess.line(2 * SinkProcess.BATCH - 1));
        assertThat(Files.readString(file)).endsWith("\n");
    }

    @Test
    void refusesAFileThatAnotherProcessWrites() throws Exception {
        Path file = directory.resolve("app.log");
        try (SinkRun run = new SinkRun("file", file); SinkProcess process = new SinkProcess(file, 0, 1, 1, 0)) {
            run.put("mine");
            assertThat(process.read()).isEqualTo("ready");
            assertThat(process.read()).startsWith("RetriableException: " + file + " is being written by another task or process");
        }
        assertThat(file).content().isEqualTo("mine\n");
    }
}
