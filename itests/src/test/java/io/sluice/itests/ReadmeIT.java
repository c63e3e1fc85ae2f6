package io.sluice.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Carries out what README says, to the letter: {@code ./run} in a folder that looks like a clone, then every block of commands in the order of the
 * page. Only ports and the folder {@code /tmp} are replaced. A block that is added to the page fails this test until it says here what comes out.
 */
class ReadmeIT {

    private static final Pattern BLOCK = Pattern.compile("^```sh\\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** What is printed in the end, block after block. Each is a pattern that is looked for. */
    private static final List<List<String>> PRINTED = List.of(
        List.of("(\"20\\d\\d-.*\\R){3}", "\\d+ +\\| 20\\d\\d-"),
        List.of("1 +\\| sluice gate +\\| NEW", "2 +\\| water wheel +\\| SHIPPED", "3 +\\| weir +\\| NEW"),
        List.of("sample-log-h2 +\\| sink +\\| RUNNING \\| 1/1", "sample-orders: RUNNING since", "jdbc-source"),
        List.of("my-file"),
        List.of("\"name\":\"my-copy\""),
        List.of(),
        List.of("customers: RUNNING since"),
        List.of("1 +\\| Mill", "2 +\\| Harbour"),
        List.of("in\\.txt\\} +\\| \\{.*position=15", "set to PAUSED by admin@shell", "set to RUNNING by admin@shell"));

    private final List<String> environment = new ArrayList<>();
    private Path clone;
    private Process run;
    private int httpPort;
    private int postgresPort;

    @AfterEach
    void stop() throws InterruptedException {
        if (run != null && run.isAlive()) {
            run.destroy();
            if (!run.waitFor(60, TimeUnit.SECONDS)) {
                run.descendants().forEach(ProcessHandle::destroyForcibly);
                run.destroyForcibly();
            }
        }
    }

    @Test
    void everyLineDoesWhatItSays() throws Exception {
        String readme = Files.readString(Path.of(System.getProperty("sluice.root"), "README.md"));
        List<String> blocks = BLOCK.matcher(readme).results().map(found -> found.group(1)).toList();
        assertThat(blocks).as("blocks of commands in README.md; say in this test what each prints").hasSameSizeAs(PRINTED);
        prepareClone();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start()) {
            makeCustomers(postgres);
            postgresPort = postgres.getPort();
            Path log = clone.resolve("run.log");
            run = process("./run").redirectOutput(log.toFile()).start();
            await("./run; see " + log).atMost(Distribution.START).until(() -> !run.isAlive() || Files.readString(log).contains("Ctrl-C stops it."));
            assertThat(run.isAlive()).as(Files.readString(log)).isTrue();
            for (int i = 0; i < blocks.size(); i++) {
                carryOut(blocks.get(i), PRINTED.get(i));
            }
        }
        for (String file : List.of("out.txt", "out2.txt")) {
            Path copy = clone.resolve("tmp").resolve(file);
            await(file).atMost(LIMIT).until(() -> Files.exists(copy) && Files.readString(copy).equals("the first line\n"));
        }
        run.destroy();
        assertThat(run.waitFor(60, TimeUnit.SECONDS)).as("./run ends on a signal").isTrue();
        assertThat(run.exitValue()).isZero();
    }

    private void prepareClone() throws IOException, InterruptedException {
        clone = Path.of("target", "it", "readme").toAbsolutePath();
        Distribution.delete(clone);
        Path archive = Path.of(System.getProperty("sluice.distribution"));
        Files.createDirectories(clone.resolve("karaf-distribution/target"));
        Files.createDirectories(clone.resolve("tmp"));
        Files.copy(archive, clone.resolve("karaf-distribution/target").resolve(archive.getFileName()));
        Files.copy(Path.of(System.getProperty("sluice.root"), "run"), clone.resolve("run"), StandardCopyOption.COPY_ATTRIBUTES);
        int[] ports = Distribution.freePorts();
        httpPort = ports[0];
        environment.addAll(List.of("SLUICE_HTTP_PORT=" + httpPort, "SLUICE_SSH_PORT=" + ports[1], "SLUICE_NAMESRV_PORT=" + ports[2],
            "SLUICE_BROKER_PORT=" + ports[4]));
    }

    private static void makeCustomers(EmbeddedPostgres postgres) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE customers (id BIGSERIAL PRIMARY KEY, name TEXT NOT NULL)");
            statement.execute("INSERT INTO customers (name) VALUES ('Mill'), ('Harbour')");
        }
    }

    private ProcessBuilder process(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(clone.toFile()).redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile());
        Map<String, String> variables = builder.environment();
        variables.putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        environment.forEach(entry -> variables.put(entry.substring(0, entry.indexOf('=')), entry.substring(entry.indexOf('=') + 1)));
        return builder;
    }

    /** What only looks or sets something to a value is repeated until it prints what it should: rows take a moment to arrive. */
    private void carryOut(String block, List<String> printed) throws Exception {
        boolean repeatable = !block.contains("connect:create") && !block.contains("-X POST");
        await(block).atMost(LIMIT).pollInterval(Duration.ofSeconds(1)).pollDelay(Duration.ZERO).untilAsserted(() -> {
            String output = sh(block);
            for (String pattern : printed) {
                Matcher matcher = Pattern.compile(pattern).matcher(output);
                if (!matcher.find()) {
                    String problem = "no '" + pattern + "' in what was printed:\n" + output;
                    if (repeatable) {
                        throw new AssertionError(problem);
                    }
                    throw new IllegalStateException(problem);
                }
            }
        });
    }

    private String sh(String block) throws IOException, InterruptedException {
        String commands = block.replace("8083", Integer.toString(httpPort)).replace("5432", Integer.toString(postgresPort))
            .replace("/tmp/", clone.resolve("tmp") + "/");
        Path output = Files.createTempFile(clone.resolve("tmp"), "block", ".out");
        Process sh = process("sh", "-e", "-c", commands).redirectOutput(output.toFile()).start();
        if (!sh.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            sh.descendants().forEach(ProcessHandle::destroyForcibly);
            sh.destroyForcibly();
            throw new IllegalStateException("did not end within " + LIMIT.toSeconds() + " s:\n" + commands + Files.readString(output));
        }
        String text = Files.readString(output);
        if (sh.exitValue() != 0) {
            throw new AssertionError("ended with " + sh.exitValue() + ":\n" + commands + text);
        }
        return text;
    }
}
