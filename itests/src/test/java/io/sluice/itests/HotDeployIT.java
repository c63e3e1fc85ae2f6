package io.sluice.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Plugins that come, change and go in the deploy folder of a running worker. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HotDeployIT {

    private static final int RECORDS = 100_000;

    private static Distribution worker;
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        worker = Distribution.unpack("deploy").start().awaitHealthy();
        folder = Files.createDirectories(Path.of("target", "it", "deploy-data").toAbsolutePath());
        Path bystanderIn = Files.writeString(folder.resolve("bystander.txt"), "here\n");
        worker.put("bystander", Map.of("connector.class", "file-source", "file", bystanderIn.toString(), "connect.topicname", "bystander",
            "value.converter", "string"));
        worker.awaitState("bystander", "RUNNING");
    }

    @AfterAll
    static void stop() throws Exception {
        worker.close();
    }

    /** A source that numbers its records and says which version has made each. */
    private static Path numbers(String version, String extra) throws Exception {
        String source = """
            package org.example.numbers;

            import io.openmessaging.KeyValue;
            import io.openmessaging.connector.api.component.task.Task;
            import io.openmessaging.connector.api.component.task.source.*;
            import io.openmessaging.connector.api.data.*;
            import io.sluice.spi.*;
            import java.util.*;

            @ConnectPlugin(name = "numbers", kind = PluginKind.SOURCE)
            public class NumbersSource extends SourceConnector {
                %s
                private KeyValue config;
                public void start(KeyValue config) { this.config = config; }
                public List<KeyValue> taskConfigs(int maxTasks) { return List.of(config); }
                public Class<? extends Task> taskClass() { return NumbersTask.class; }
                public void stop() { }

                public static class NumbersTask extends SourceTask {
                    private static final RecordPartition PARTITION = new RecordPartition(Map.of("numbers", "all"));
                    private long next;
                    private long limit;
                    public void start(KeyValue config) {
                        limit = config.getLong("limit");
                        RecordOffset last = sourceTaskContext.offsetStorageReader().readOffset(PARTITION);
                        next = last == null ? 0 : (Long) last.getOffset().get("next");
                    }
                    public List<ConnectRecord> poll() throws InterruptedException {
                        if (next >= limit) { Thread.sleep(50); return null; }
                        List<ConnectRecord> batch = new ArrayList<>();
                        for (int i = 0; i < 200 && next < limit; i++) {
                            String text = next + " %s";
                            next++;
                            batch.add(new ConnectRecord(PARTITION, new RecordOffset(Map.of("next", next)), 0L, SchemaBuilder.string().build(), text));
                        }
                        Thread.sleep(20);
                        return batch;
                    }
                    public void stop() { }
                }
            }
            """.formatted(extra, version);
        return PluginJar.build(Files.createDirectories(folder.resolve("numbers-" + version + "-" + extra.length())), "org.example.numbers.NumbersSource",
            source, version);
    }

    private static Path deployed() {
        return worker.deploy().resolve("numbers.jar");
    }

    private static JsonNode bystander() throws InterruptedException {
        return worker.status("bystander").at("/tasks/0/since");
    }

    @Test
    @Order(1)
    void aConnectorWaitsForItsPluginGoesOnWithItsNextVersionAndLosesNothing() throws Exception {
        JsonNode undisturbed = bystander();
        Path out = folder.resolve("numbers.txt");
        Files.deleteIfExists(out);
        worker.put("numbers-out", Map.of("connector.class", "file-sink", "file", out.toString(), "connect.topicnames", "numbers", "value.converter", "string"));
        worker.put("numbers-in", Map.of("connector.class", "numbers", "limit", Integer.toString(RECORDS), "connect.topicname", "numbers",
            "value.converter", "string"));
        worker.awaitState("numbers-in", "WAITING");
        assertThat(worker.status("numbers-in").at("/connector/reason").asText()).contains("plugin missing: numbers");

        PluginJar.drop(numbers("1.0.0", ""), deployed());
        worker.awaitState("numbers-in", "RUNNING");
        assertThat(worker.status("numbers-in").get("plugin_version").asText()).isEqualTo("1.0.0");
        await().atMost(Duration.ofSeconds(60)).until(() -> sent() > RECORDS / 10);
        assertThat(sent()).as("the update has to come while records flow").isLessThan(RECORDS);

        PluginJar.drop(numbers("2.0.0", ""), deployed());
        await().atMost(Duration.ofSeconds(60)).until(() -> worker.status("numbers-in").get("plugin_version").asText().equals("2.0.0"));
        worker.awaitState("numbers-in", "RUNNING");

        await().atMost(Duration.ofSeconds(120)).until(() -> lines(out) >= RECORDS);
        List<String> copied = Files.readAllLines(out);
        assertThat(copied.stream().map(line -> line.substring(0, line.indexOf(' ')))).as("none lost, none doubled, in order")
            .containsExactlyElementsOf(IntStream.range(0, RECORDS).mapToObj(Integer::toString).toList());
        assertThat(copied.get(0)).endsWith(" 1.0.0");
        assertThat(copied.get(RECORDS - 1)).endsWith(" 2.0.0");
        assertThat(bystander()).as("other connectors do not notice").isEqualTo(undisturbed);
    }

    private static long sent() throws InterruptedException {
        return worker.status("numbers-in").at("/tasks/0/figures/records.sent").asLong();
    }

    private static long lines(Path file) throws java.io.IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        }
    }

    @Test
    @Order(2)
    void aConnectorWaitsWhenItsPluginGoesAndResumesWhenItComesBack() throws Exception {
        Files.delete(deployed());
        worker.awaitState("numbers-in", "WAITING");
        PluginJar.drop(numbers("2.0.0", ""), deployed());
        worker.awaitState("numbers-in", "RUNNING");
        assertThat(worker.expect(200, "GET", "/connectors/numbers-in/offsets", null).json().at("/offsets/0/offset/next").asInt()).isEqualTo(RECORDS);
    }

    @Test
    @Order(3)
    void badJarsAreReportedByNameAndHarmNothing() throws Exception {
        JsonNode undisturbed = bystander();
        byte[] whole = Files.readAllBytes(numbers("3.0.0", ""));
        Files.write(worker.deploy().resolve("half.jar"), java.util.Arrays.copyOf(whole, whole.length / 2));
        awaitLog("half.jar");

        Path unresolved = Files.createDirectories(folder.resolve("unresolved"));
        try (java.util.jar.JarOutputStream jar = new java.util.jar.JarOutputStream(Files.newOutputStream(unresolved.resolve("unresolved.jar")),
            manifest("org.example.unresolved", "no.such.package"))) {
            jar.putNextEntry(new java.util.zip.ZipEntry("empty.txt"));
        }
        PluginJar.drop(unresolved.resolve("unresolved.jar"), worker.deploy().resolve("unresolved.jar"));
        awaitLog("no.such.package");

        Path throwing = numbers("4.0.0", "static { if (true) throw new IllegalStateException(\"the initialiser says no\"); }");
        PluginJar.drop(throwing, worker.deploy().resolve("throwing.jar"));
        worker.awaitState("numbers-in", "FAILED");
        assertThat(worker.status("numbers-in").at("/connector/reason").asText()).contains("org.example.numbers").contains("the initialiser says no");
        Files.delete(worker.deploy().resolve("throwing.jar"));
        worker.awaitState("numbers-in", "RUNNING");
        assertThat(worker.status("numbers-in").get("plugin_version").asText()).isEqualTo("2.0.0");

        Files.delete(worker.deploy().resolve("half.jar"));
        Files.delete(worker.deploy().resolve("unresolved.jar"));
        assertThat(bystander()).isEqualTo(undisturbed);
    }

    private static java.util.jar.Manifest manifest(String name, String imported) {
        java.util.jar.Manifest manifest = new java.util.jar.Manifest();
        java.util.jar.Attributes attributes = manifest.getMainAttributes();
        attributes.putValue("Manifest-Version", "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", name);
        attributes.putValue("Bundle-Version", "1.0.0");
        attributes.putValue("Import-Package", imported);
        return manifest;
    }

    private static void awaitLog(String text) {
        await("a log line with " + text).atMost(Duration.ofSeconds(30)).until(() ->
            Files.readString(worker.home().resolve("data/log/sluice.log")).contains(text));
    }

    @Test
    @Order(4)
    void theConnectorOfTheDocumentationRuns() throws Exception {
        Path document = Path.of(System.getProperty("sluice.root"), "docs", "write-a-connector.md");
        String source = PluginJar.block(document, "src/main/java/org/example/counter/CounterSource.java");
        assertThat(source.lines().count()).isLessThan(80);
        Path jar = PluginJar.build(Files.createDirectories(folder.resolve("counter")), "org.example.counter.CounterSource", source, "1.0.0");
        PluginJar.drop(jar, worker.deploy().resolve("counter.jar"));
        assertThat(worker.shell("connect:create counter connector.class=counter-source interval.ms=50 connect.topicname=counted value.converter=json").code()).isZero();
        worker.awaitState("counter", "RUNNING");
        await().atMost(Duration.ofSeconds(20)).until(() -> worker.status("counter").at("/tasks/0/figures/records.sent").asInt() > 5);
        assertThat(worker.shell("connect:plugin-keys counter-source").output()).contains("interval.ms").contains("Milliseconds between two numbers");
        assertThat(worker.rest("PUT", "/connectors/counter/config",
            "{\"connector.class\": \"counter-source\", \"interval.ms\": \"0\", \"connect.topicname\": \"counted\"}").orElseThrow().text()).contains("'interval.ms'");
    }
}
