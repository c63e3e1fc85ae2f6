package io.sluice.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** At least once, whoever is killed when: every line that was written to the file arrives, and in order once repetitions are taken out. */
class CrashIT {

    private static final int ROUNDS = 3;
    private static final int LINES_PER_ROUND = 30_000;

    private Distribution worker;

    @AfterEach
    void stop() throws Exception {
        worker.close();
    }

    @Test
    void losesNothingWhenWorkerAndBrokerAreKilled() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        worker = Distribution.unpack("crash").start().awaitHealthy();
        Path folder = Files.createDirectories(Path.of("target", "it", "crash-data").toAbsolutePath());
        Path in = folder.resolve("in.txt");
        Path out = folder.resolve("out.txt");
        Files.deleteIfExists(in);
        Files.deleteIfExists(out);
        Files.createFile(in);
        worker.put("in", Map.of("connector.class", "file-source", "file", in.toString(), "connect.topicname", "crash", "value.converter", "string"));
        worker.put("out", Map.of("connector.class", "file-sink", "file", out.toString(), "connect.topicnames", "crash", "value.converter", "string"));
        worker.awaitState("in", "RUNNING");
        worker.awaitState("out", "RUNNING");

        List<String> written = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<String> more = IntStream.range(round * LINES_PER_ROUND, (round + 1) * LINES_PER_ROUND).mapToObj(i -> "line " + i).toList();
            Files.write(in, more, StandardOpenOption.APPEND);
            written.addAll(more);
            int before = round * LINES_PER_ROUND + random.nextInt(LINES_PER_ROUND / 2);
            await().atMost(Duration.ofSeconds(120)).until(() -> count(out) > before);
            kill(round);
            if (!worker.isAlive()) {
                awaitNoOrphan();
                worker.start();
            }
            worker.awaitHealthy();
        }
        worker.awaitState("in", "RUNNING");
        worker.awaitState("out", "RUNNING");
        await("seed " + seed).atMost(Duration.ofSeconds(120)).until(() -> new LinkedHashSet<>(Files.readAllLines(out)).size() >= written.size());
        List<String> arrived = Files.readAllLines(out);
        assertThat(new LinkedHashSet<>(arrived)).as("seed %d: lines in order of their first arrival", seed).containsExactlyElementsOf(written);
        System.out.println("killed " + ROUNDS + " times: " + written.size() + " lines written, " + (arrived.size() - written.size()) + " arrived twice");
    }

    /** Kills the worker, the broker, and both in turn. */
    private void kill(int round) throws InterruptedException {
        ProcessHandle broker = worker.broker().orElseThrow();
        if (round % 3 != 0) {
            broker.destroyForcibly();
        }
        if (round % 3 != 1) {
            worker.kill();
        }
    }

    /** A broker whose worker was killed ends by itself. */
    private void awaitNoOrphan() {
        await().atMost(Duration.ofSeconds(30)).until(() -> worker.broker().isEmpty());
    }

    private static int count(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    @Test
    void stopsCleanlyAndGoesOnWhereItStopped() throws Exception {
        worker = Distribution.unpack("restart").start().awaitHealthy();
        Path folder = Files.createDirectories(Path.of("target", "it", "restart-data").toAbsolutePath());
        Path in = Files.write(folder.resolve("in.txt"), IntStream.range(0, 1_000).mapToObj(Integer::toString).toList());
        Path out = folder.resolve("out.txt");
        Files.deleteIfExists(out);
        worker.put("in", Map.of("connector.class", "file-source", "file", in.toString(), "connect.topicname", "restart", "value.converter", "string"));
        worker.put("out", Map.of("connector.class", "file-sink", "file", out.toString(), "connect.topicnames", "restart", "value.converter", "string"));
        await().atMost(Duration.ofSeconds(60)).until(() -> count(out) == 1_000);
        worker.stop();
        assertThat(worker.broker()).as("the broker ends with its worker").isEmpty();
        Files.write(in, IntStream.range(1_000, 2_000).mapToObj(Integer::toString).toList(), StandardOpenOption.APPEND);
        worker.start().awaitHealthy();
        await().atMost(Duration.ofSeconds(60)).until(() -> count(out) >= 2_000);
        assertThat(Files.readAllLines(out)).as("a clean stop repeats nothing").containsExactlyElementsOf(IntStream.range(0, 2_000).mapToObj(Integer::toString).toList());
    }
}
