package io.sluice.itests;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/**
 * Compares file to topic to file through the distribution with RocketMQ's own client that sends and reads the same lines, at the same broker
 * in the same run. The lines of a file stay in order, so they go through one queue, batch after batch; what the raw client can do under that condition
 * is measured beside what it can do without. The sides alternate, so that a busy machine hits both; medians are compared. Sluice's times begin with the request that
 * creates the connector and end when the last line is acknowledged, or is in the file. Started by {@code itests/benchmark}.
 */
final class FileBenchmark {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int LINE_BYTES = 100;
    private static final int BATCH = 256;
    /** As many lines as Sluice puts into one batch when more wait than fit. */
    private static final int LARGE_BATCH = 2_048;
    private static final int QUEUES = 4;
    private static final List<String> NAMES = List.of("raw send", "raw in order", "file source", "raw read", "file sink", "file to file");

    private final Distribution sluice;
    private final RawClient raw;
    private final List<String> lines;
    private final Path folder;
    private final Path in;
    private final Map<String, List<Double>> figures = new LinkedHashMap<>();

    private FileBenchmark(Distribution sluice, RawClient raw, Path folder, int count) throws IOException {
        this.sluice = sluice;
        this.raw = raw;
        this.folder = Files.createDirectories(folder);
        this.lines = IntStream.range(0, count).mapToObj(FileBenchmark::line).toList();
        this.in = Files.write(folder.resolve("in.txt"), lines);
    }

    /** With its end, a line has {@link #LINE_BYTES}. */
    private static String line(int number) {
        String text = "line %010d ".formatted(number);
        return text + "x".repeat(LINE_BYTES - 1 - text.length());
    }

    /** @param args the number of lines and of rounds, 1,000,000 and 5 if they are not given */
    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        try (Distribution sluice = Distribution.unpack("benchmark").start().awaitHealthy(); RawClient raw = new RawClient(sluice.namesrvAddr())) {
            FileBenchmark benchmark = new FileBenchmark(sluice, raw, sluice.home().resolve("data/benchmark"), count);
            for (int round = 0; round <= rounds; round++) {
                benchmark.round(round);
            }
            benchmark.report(count, rounds);
        }
        System.exit(0);
    }

    private void round(int round) throws Exception {
        String id = Integer.toString(round);
        for (String topic : List.of("raw-", "order-", "source-", "through-")) {
            raw.createTopic(topic + id, QUEUES);
        }
        measure(round, "raw send", () -> {
            raw.send("raw-" + id, lines, BATCH);
            return null;
        });
        settle("raw-" + id);
        measure(round, "raw in order", () -> {
            raw.sendInOrder("order-" + id, lines, LARGE_BATCH);
            return null;
        });
        settle("order-" + id);
        measure(round, "file source", () -> {
            source("source-" + id);
            await("the topic", () -> sluice.status("source-" + id).at("/tasks/0/figures/records.sent").asLong() == lines.size());
            return null;
        });
        settle("source-" + id);
        sluice.expect(204, "DELETE", "/connectors/source-" + id, null);
        measure(round, "raw read", () -> {
            raw.read("source-" + id, lines.size());
            return null;
        });
        Path out = folder.resolve("sink-" + id + ".txt");
        measure(round, "file sink", () -> {
            sink("sink-" + id, "source-" + id, out);
            await("the file", () -> Files.exists(out) && Files.size(out) == Files.size(in));
            return null;
        });
        sluice.expect(204, "DELETE", "/connectors/sink-" + id, null);
        Files.delete(out);
        measure(round, "file to file", () -> {
            sink("through-sink-" + id, "through-" + id, out);
            source("through-" + id);
            await("the file", () -> Files.exists(out) && Files.size(out) == Files.size(in));
            return null;
        });
        sluice.expect(204, "DELETE", "/connectors/through-" + id, null);
        sluice.expect(204, "DELETE", "/connectors/through-sink-" + id, null);
        Files.delete(out);
    }

    /** Waits until the broker has done what it does with messages after it has acknowledged them; it would do it during the next run. */
    private void settle(String topic) throws Exception {
        await("topic '" + topic + "'", () -> raw.count(topic) == lines.size());
    }

    private void source(String topic) throws Exception {
        sluice.put(topic, Map.of("connector.class", "file-source", "file", in.toString(), "connect.topicname", topic, "value.converter", "string"));
    }

    private void sink(String name, String topic, Path out) throws Exception {
        sluice.put(name, Map.of("connector.class", "file-sink", "file", out.toString(), "connect.topicnames", topic, "value.converter", "string"));
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(what + " is not complete after " + LIMIT.toSeconds() + " s");
            }
            Thread.sleep(50);
        }
    }

    private void measure(int round, String name, Callable<Void> run) throws Exception {
        long began = System.nanoTime();
        run.call();
        double perSecond = lines.size() / ((System.nanoTime() - began) / 1e9);
        System.out.printf(Locale.ROOT, "%s%-13s %,12.0f lines/s%n", round == 0 ? "(warm-up) " : "", name, perSecond);
        if (round > 0) {
            figures.computeIfAbsent(name, unused -> new ArrayList<>()).add(perSecond);
        }
    }

    private void report(int count, int rounds) throws IOException {
        JsonMapper json = new JsonMapper();
        ObjectNode report = json.createObjectNode().put("lines", count).put("bytes", LINE_BYTES).put("rounds", rounds);
        System.out.printf(Locale.ROOT, "%n%,d lines of %d bytes, medians of %d rounds%n", count, LINE_BYTES, rounds);
        for (String name : NAMES) {
            double median = median(name);
            List<Double> all = figures.get(name).stream().sorted().toList();
            double yardstick = switch (name) {
                case "raw send", "raw in order", "file source" -> median("raw send");
                case "raw read", "file sink" -> median("raw read");
                // One after the other, as one pair of hands could do it.
                default -> 1 / (1 / median("raw send") + 1 / median("raw read"));
            };
            System.out.printf(Locale.ROOT, "%-13s %,12.0f lines/s (%,.0f to %,.0f), %.2f of raw%n", name, median, all.get(0), all.get(all.size() - 1),
                median / yardstick);
            report.putObject(name).put("linesPerSecond", Math.round(median)).put("least", Math.round(all.get(0)))
                .put("most", Math.round(all.get(all.size() - 1))).put("ofRaw", Math.round(1_000 * median / yardstick) / 1e3);
        }
        Path file = Path.of("target", "benchmark.json").toAbsolutePath();
        json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), report);
        System.out.println("written to " + file);
    }

    private double median(String name) {
        return figures.get(name).stream().sorted().toList().get(figures.get(name).size() / 2);
    }
}
