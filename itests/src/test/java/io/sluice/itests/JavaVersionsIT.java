package io.sluice.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The distribution does its work on every Java that is installed on this machine, from version 17 on, and not only on the one that built it. */
class JavaVersionsIT {

    private static final Path INSTALLED = Path.of("/usr/lib/jvm");

    @Test
    void runsOnOtherVersionsOfJava() throws Exception {
        List<Path> others = others();
        Assumptions.assumeFalse(others.isEmpty(), "there is no other Java in " + INSTALLED);
        for (Path java : others) {
            try (Distribution worker = Distribution.unpack("java-" + version(java)).start(java).awaitHealthy()) {
                Path in = Files.writeString(worker.home().resolve("data/in.txt"), "one\ntwo\n");
                Path out = worker.home().resolve("data/out.txt");
                assertThat(worker.shell("connect:create in connector.class=file-source file=" + in + " connect.topicname=lines value.converter=string").output())
                    .as("on " + java).contains("created");
                worker.put("out", Map.of("connector.class", "file-sink", "file", out.toString(), "topics", "lines", "value.converter", "string"));
                await("on " + java).atMost(Duration.ofSeconds(60)).until(() -> Files.exists(out) && Files.readString(out).equals("one\ntwo\n"));
                assertThat(worker.shell("connect:events in").output()).contains("RUNNING");
                assertThat(Files.readString(worker.home().resolve("data/log/console.log"))).as("what is printed on " + java).doesNotContain("WARNING");
            }
        }
    }

    private static List<Path> others() throws IOException {
        if (!Files.isDirectory(INSTALLED)) {
            return List.of();
        }
        int own = Runtime.version().feature();
        try (Stream<Path> homes = Files.list(INSTALLED)) {
            return homes.filter(home -> !Files.isSymbolicLink(home) && Files.isExecutable(home.resolve("bin/java")) && version(home) >= 17
                && version(home) != own).toList();
        }
    }

    /** The feature number, such as 21; 0 if the installation does not tell. */
    private static int version(Path home) {
        try (Stream<String> lines = Files.lines(home.resolve("release"))) {
            return lines.filter(line -> line.startsWith("JAVA_VERSION=")).map(line -> line.replaceAll("JAVA_VERSION=\"(\\d+).*", "$1"))
                .mapToInt(Integer::parseInt).findFirst().orElse(0);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }
}
