package io.sluice.broker.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the broker's JVM. Its standard input is a pipe from here that nothing is ever written to: when this JVM ends, in whatever way,
 * the pipe ends too, and the broker with it. So there is never an orphan.
 */
final class BrokerProcess {

    private static final Logger LOG = LoggerFactory.getLogger("io.sluice.broker");
    private static final String MAIN = "io.sluice.broker.launcher.BrokerMain";
    private static final Duration STOP = Duration.ofSeconds(12);

    private final Process process;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile String error;

    private BrokerProcess(Process process) {
        this.process = process;
    }

    /** Starts the JVM. @throws IOException if it cannot be started; names the key to change */
    static BrokerProcess start(BrokerSettings settings) throws IOException {
        if (!Files.isExecutable(settings.java())) {
            throw new IOException("there is no Java at " + settings.java() + "; set JAVA_HOME to a JDK or JRE of version 17 or later");
        }
        if (!Files.isDirectory(settings.lib())) {
            throw new IOException("'lib.folder' is " + settings.lib() + ", which is no folder; it needs the one with the broker's jars, broker/lib of the distribution");
        }
        Files.createDirectories(settings.folder().resolve("home"));
        ProcessBuilder builder = new ProcessBuilder(command(settings, write(settings)));
        builder.directory(settings.folder().toFile());
        builder.redirectErrorStream(true);
        // Otherwise the C library keeps an arena of memory for each of the broker's many threads.
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        BrokerProcess started = new BrokerProcess(builder.start());
        Thread reader = new Thread(started::read, "sluice-broker-output");
        reader.setDaemon(true);
        reader.start();
        return started;
    }

    private static Path write(BrokerSettings settings) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("folder", settings.folder().toString());
        properties.setProperty("namesrv.port", Integer.toString(settings.namesrvPort()));
        properties.setProperty("broker.port", Integer.toString(settings.brokerPort()));
        properties.setProperty("ha.port", Integer.toString(settings.brokerPort() + 1));
        properties.setProperty("file.bytes", Integer.toString(settings.fileMb() << 20));
        properties.setProperty("retention.hours", Integer.toString(settings.retentionHours()));
        Path file = settings.folder().resolve("broker.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, "Written at every start from the configuration io.sluice.broker; changes here are lost");
        }
        return file;
    }

    private static List<String> command(BrokerSettings settings, Path properties) {
        List<String> command = new ArrayList<>(List.of(settings.java().toString(),
            "-Xms32m", "-Xmx" + settings.heapMb() + "m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=128m", "-Xss512k",
            "-XX:+ExitOnOutOfMemoryError", "-XX:ErrorFile=" + settings.folder().resolve("hs_err.log"),
            "-Duser.home=" + settings.folder().resolve("home"), "-Djava.io.tmpdir=" + settings.folder().resolve("home")));
        command.addAll(settings.javaOptions());
        command.addAll(List.of("-cp", settings.lib() + "/*", MAIN, properties.toString()));
        return command;
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line;
            while ((line = lines.readLine()) != null) {
                heard(line);
            }
        } catch (IOException e) {
            LOG.debug("the broker's output ended: {}", e.toString());
        }
        ready.completeExceptionally(new IOException(error == null ? "the broker's JVM ended before the broker was ready" : error));
    }

    private void heard(String line) {
        if (line.equals("READY")) {
            ready.complete(null);
        } else if (line.startsWith("ERROR ")) {
            error = line.substring("ERROR ".length());
        } else if (line.startsWith("LOG ERROR ")) {
            LOG.error(line.substring("LOG ERROR ".length()));
        } else if (line.startsWith("LOG ")) {
            LOG.info(line.substring("LOG ".length()));
        } else {
            if (line.startsWith("Error") || line.startsWith("Invalid") || line.contains("OutOfMemoryError")) {
                // The JVM itself refuses: an option is wrong, or memory ran out.
                error = "the broker's JVM says: " + line + " (see 'heap.mb' and 'java.options')";
            }
            LOG.debug(line);
        }
    }

    /** Completed when the broker is registered and its topics are listed; exceptionally, with the reason, when the JVM ends before that. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Completed when the JVM has ended. */
    CompletableFuture<Process> ended() {
        return process.onExit();
    }

    long pid() {
        return process.pid();
    }

    /** Ends the broker: first by the end of its input, then by force. */
    void stop() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("the broker did not end within {} s and is ended by force; what it has acknowledged is kept", STOP.toSeconds());
                process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
