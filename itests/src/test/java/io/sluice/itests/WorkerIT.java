package io.sluice.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A worker as its users meet it: security, REST, shell, files in etc, and data that flows. One worker serves all of these tests. */
class WorkerIT {

    private static Distribution worker;
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        worker = Distribution.unpack("worker").start().awaitHealthy();
        folder = Files.createDirectories(Path.of("target", "it", "worker-data").toAbsolutePath());
    }

    @AfterAll
    static void stop() throws Exception {
        worker.close();
    }

    private static Map<String, String> source(Path file, String topic) {
        return Map.of("connector.class", "file-source", "file", file.toString(), "connect.topicname", topic, "value.converter", "string");
    }

    private static Map<String, String> sink(Path file, String topic) {
        return Map.of("connector.class", "file-sink", "file", file.toString(), "connect.topicnames", topic, "value.converter", "string");
    }

    private static void awaitLines(Path file, List<String> lines) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(file).exists().content().isEqualTo(String.join("\n", lines) + "\n"));
    }

    @Test
    void letsNobodyInWithoutTheRandomPassword() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(worker.home().resolve("etc/admin.password")))).isEqualTo("rw-------");
        assertThat(worker.rest("GET", "/", null, null).orElseThrow().status()).isEqualTo(401);
        for (String credentials : List.of("admin:admin", "karaf:karaf", "admin:", ":")) {
            Distribution.Answer answer = worker.rest("GET", "/connectors", null, credentials).orElseThrow();
            assertThat(answer.status()).as(credentials).isEqualTo(401);
            assertThat(answer.json().get("error_code").asInt()).isEqualTo(401);
        }
        assertThat(worker.expect(200, "GET", "/", null).json().get("version").asText()).matches("4\\.\\d+\\.\\d+");
    }

    @Test
    void listensOnLoopbackAlone() throws Exception {
        Process ss = new ProcessBuilder("ss", "-Hltnp").start();
        List<String> lines = new String(ss.getInputStream().readAllBytes()).lines()
            .filter(line -> line.contains("pid=" + worker.worker().pid() + ",") || line.contains("pid=" + worker.broker().orElseThrow().pid() + ",")).toList();
        assertThat(lines).isNotEmpty().allSatisfy(line -> assertThat(line.trim().split("\\s+")[3]).containsAnyOf("127.0.0.1", "[::1]"));
    }

    @Test
    void allBundlesAreActive() throws Exception {
        Distribution.Shell list = worker.shell("bundle:list -t 0 -s --no-format");
        assertThat(list.code()).isZero();
        assertThat(list.output().lines().filter(line -> line.contains("Installed") || line.contains("Waiting") || line.contains("Failure"))).isEmpty();
        assertThat(list.output()).contains("io.sluice.core");
    }

    @Test
    void copiesAFileThroughATopicAndGoesOnWithIt() throws Exception {
        Path in = Files.writeString(folder.resolve("in.txt"), "one\ntwo\n");
        Path out = folder.resolve("out.txt");
        Files.deleteIfExists(out);
        Distribution.Answer created = worker.expect(201, "POST", "/connectors", """
            {"name": "copy-in", "config": {"connector.class": "file-source", "file": "%s", "connect.topicname": "copied", "value.converter": "string"}}
            """.formatted(in));
        assertThat(created.raw().headers().firstValue("Location")).contains("/connectors/copy-in");
        worker.put("copy-out", sink(out, "copied"));
        worker.awaitState("copy-in", "RUNNING");
        worker.awaitState("copy-out", "RUNNING");
        awaitLines(out, List.of("one", "two"));

        worker.expect(202, "PUT", "/connectors/copy-out/pause", null);
        worker.awaitState("copy-out", "PAUSED");
        Files.writeString(in, "one\ntwo\nthree\n");
        await().atMost(Duration.ofSeconds(20)).until(() -> worker.status("copy-in").at("/tasks/0/figures/records.sent").asInt() == 3);
        assertThat(out).content().isEqualTo("one\ntwo\n");
        worker.expect(202, "PUT", "/connectors/copy-out/resume", null);
        awaitLines(out, List.of("one", "two", "three"));

        await().atMost(Duration.ofSeconds(20)).until(() ->
            worker.expect(200, "GET", "/connectors/copy-in/offsets", null).json().at("/offsets/0/offset/position").asInt() == 14);
        worker.expect(204, "PUT", "/connectors/copy-in/stop", null);
        worker.awaitState("copy-in", "STOPPED");
        assertThat(worker.expect(200, "GET", "/connectors/copy-in/tasks", null).json()).isEmpty();
        Files.writeString(in, "one\ntwo\nthree\nfour\n");
        worker.expect(202, "PUT", "/connectors/copy-in/resume", null);
        awaitLines(out, List.of("one", "two", "three", "four"));

        worker.expect(204, "POST", "/connectors/copy-in/tasks/0/restart", null);
        worker.expect(202, "POST", "/connectors/copy-out/restart?includeTasks=true", null);
        worker.awaitState("copy-in", "RUNNING");
        worker.awaitState("copy-out", "RUNNING");
        Files.writeString(in, "one\ntwo\nthree\nfour\nfive\n");
        awaitLines(out, List.of("one", "two", "three", "four", "five"));

        worker.expect(204, "DELETE", "/connectors/copy-in", null);
        worker.expect(204, "DELETE", "/connectors/copy-out", null);
        worker.expect(404, "GET", "/connectors/copy-in/status", null);
    }

    @Test
    void answersErrorsInKafkaConnectsShape() throws Exception {
        JsonNode missing = worker.expect(404, "GET", "/connectors/nobody", null).json();
        assertThat(missing.get("error_code").asInt()).isEqualTo(404);
        assertThat(missing.get("message").asText()).isEqualTo("Connector nobody not found");
        assertThat(worker.expect(400, "POST", "/connectors", "{\"name\": \"x\"").json().get("message").asText()).contains("JSON");
        assertThat(worker.expect(400, "POST", "/connectors", "{\"name\": \"x\", \"config\": {\"connector.class\": \"file-sink\", \"tasks.max\": \"none\"}}")
            .json().get("message").asText()).contains("'tasks.max'").contains("'none'");
        assertThat(worker.expect(405, "POST", "/connectors/x/status", "{}").raw().headers().firstValue("Allow")).contains("GET");
        worker.expect(404, "GET", "/connector-plugins/nothing/config", null);
        JsonNode report = worker.expect(200, "PUT", "/connector-plugins/file-sink/config/validate", "{\"connector.class\": \"file-sink\"}").json();
        assertThat(report.get("error_count").asInt()).isPositive();
        assertThat(worker.expect(200, "GET", "/connectors", null).text()).doesNotContain("\"x\"");
    }

    @Test
    void theShellDoesWhatRestDoes() throws Exception {
        Path in = Files.writeString(folder.resolve("shell-in.txt"), "hello\n");
        assertThat(worker.shell("connect:create by-shell connector.class=file-source file=" + in + " connect.topicname=shelled value.converter=string").code()).isZero();
        worker.awaitState("by-shell", "RUNNING");
        assertThat(worker.shell("connect:list").output()).contains("by-shell").contains("RUNNING");
        assertThat(worker.shell("connect:status --json by-shell").output()).contains("\"state\" : \"RUNNING\"");
        assertThat(worker.shell("connect:pause by-shell").code()).isZero();
        worker.awaitState("by-shell", "PAUSED");
        Distribution.Shell wrong = worker.shell("connect:status nobody");
        assertThat(wrong.code()).isNotZero();
        assertThat(wrong.output()).contains("Connector nobody not found");
        assertThat(worker.shell("connect:delete by-shell").code()).isZero();
        worker.expect(404, "GET", "/connectors/by-shell", null);
    }

    @Test
    void aFileInEtcIsAConnectorAndAnInvalidEditChangesNothing() throws Exception {
        Path in = Files.writeString(folder.resolve("etc-in.txt"), "a\n");
        Path etc = worker.home().resolve("etc/io.sluice.connector~by-file.cfg.json");
        writeAtOnce(etc, config(in, "1"));
        worker.awaitState("by-file", "RUNNING");
        assertThat(worker.expect(200, "GET", "/connectors/by-file/config", null).json().get("tasks.max").asText()).isEqualTo("1");

        writeAtOnce(etc, config(in, "many"));
        await().atMost(Duration.ofSeconds(20)).until(() -> worker.status("by-file").get("rejected_change").asText().contains("'tasks.max'"));
        assertThat(worker.status("by-file").at("/connector/state").asText()).isEqualTo("RUNNING");
        assertThat(worker.expect(200, "GET", "/connectors/by-file/config", null).json().get("tasks.max").asText()).isEqualTo("1");

        writeAtOnce(etc, config(in, "2"));
        await().atMost(Duration.ofSeconds(20)).until(() ->
            worker.expect(200, "GET", "/connectors/by-file/config", null).json().get("tasks.max").asText().equals("2"));
        assertThat(worker.status("by-file").get("rejected_change").isNull()).isTrue();

        Files.delete(etc);
        await().atMost(Duration.ofSeconds(20)).until(() -> worker.rest("GET", "/connectors/by-file", null).orElseThrow().status() == 404);
    }

    private static String config(Path in, String tasks) {
        return "{\"connector.class\": \"file-source\", \"file\": \"" + in + "\", \"connect.topicname\": \"filed\", \"value.converter\": \"string\", \"tasks.max\": \""
            + tasks + "\"}";
    }

    private static void writeAtOnce(Path file, String content) throws IOException {
        Path temporary = Files.writeString(folder.resolve(file.getFileName() + ".tmp"), content);
        Files.move(temporary, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void keepsTheOrderOfManyLines() throws Exception {
        List<String> lines = IntStream.range(0, 20_000).mapToObj(i -> "line " + i).toList();
        Path in = Files.write(folder.resolve("many-in.txt"), lines);
        Path out = folder.resolve("many-out.txt");
        Files.deleteIfExists(out);
        worker.put("many-in", source(in, "many"));
        worker.put("many-out", sink(out, "many"));
        awaitLines(out, lines);
        worker.expect(204, "DELETE", "/connectors/many-in", null);
        worker.expect(204, "DELETE", "/connectors/many-out", null);

        // With the connector its place was deleted: a new one of that name begins at the beginning.
        Files.delete(out);
        worker.put("many-out", sink(out, "many"));
        awaitLines(out, lines);
        worker.expect(204, "DELETE", "/connectors/many-out", null);
    }
}
