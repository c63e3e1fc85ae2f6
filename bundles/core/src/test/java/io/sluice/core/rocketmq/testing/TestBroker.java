package io.sluice.core.rocketmq.testing;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real name server and broker in a JVM of their own, with their data below {@code target/}, on loopback. They can be killed and started
 * again on the same ports with the same data. The JVM ends with the one that started it.
 */
public final class TestBroker implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(120);
    private static final int FIRST_PORT = 25_000;
    private static final int PORTS = 1_000;
    private static TestBroker shared;

    private final Path data;
    private final int namesrvPort;
    private final int brokerPort;
    private final List<String> settings;
    private Process process;

    private TestBroker(Path data, int namesrvPort, int brokerPort, List<String> settings) {
        this.data = data;
        this.namesrvPort = namesrvPort;
        this.brokerPort = brokerPort;
        this.settings = settings;
    }

    /** The broker that all tests of the module share, started on first use and running. Tests use topics of their own. */
    public static synchronized TestBroker shared() {
        if (shared == null) {
            shared = start();
        }
        shared.restart();
        return shared;
    }

    /**
     * Starts a broker of the test's own.
     *
     * @param settings of RocketMQ's broker or message store, such as {@code maxMessageSize=65536}
     */
    public static TestBroker start(String... settings) {
        int[] ports = freePorts();
        Path data = Path.of("target", "test-broker", Integer.toString(ports[1])).toAbsolutePath();
        delete(data);
        TestBroker broker = new TestBroker(data, ports[0], ports[1], List.of(settings));
        Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "sluice-test-broker-end"));
        broker.restart();
        return broker;
    }

    /** The name server's address. */
    public String namesrvAddr() {
        return "127.0.0.1:" + namesrvPort;
    }

    /** The broker's name in message queues. */
    public String brokerName() {
        return "broker-a";
    }

    /** Kills both at once, as {@code kill -9} does; what the broker has acknowledged stays on disk. */
    public synchronized void kill() {
        if (process != null) {
            process.destroyForcibly();
            await(process);
            process = null;
        }
    }

    /** Stops both in order, which takes about ten seconds. */
    public synchronized void stop() {
        if (process != null) {
            process.destroy();
            await(process);
            process = null;
        }
    }

    /** Suspends both: connections stay open, nobody answers. */
    public synchronized void freeze() {
        signal("STOP");
    }

    public synchronized void thaw() {
        signal("CONT");
    }

    /** Deletes the oldest files of the log, as RocketMQ itself does after some days. Only while the broker is not running. */
    public synchronized void deleteOldestMessages(int files) {
        try (Stream<Path> log = Files.list(data.resolve(brokerName()).resolve("commitlog"))) {
            for (Path file : log.sorted().limit(files).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts both again on the same ports with the same data, and returns when the broker is registered; nothing if they are running. */
    public synchronized void restart() {
        if (process != null && process.isAlive()) {
            return;
        }
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The processor time that the broker's JVM has used. */
    public synchronized long cpuNanos() {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    private Process launch() throws IOException {
        Files.createDirectories(data);
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms64m", "-Xmx384m", "-XX:MaxDirectMemorySize=256m", "-XX:+UseSerialGC", "-Duser.home=" + data,
            "-Djava.io.tmpdir=" + data, "-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            BrokerMain.class.getName(), data.toString(), Integer.toString(namesrvPort), Integer.toString(brokerPort), brokerName()));
        command.addAll(settings);
        File log = data.resolve("broker.log").toFile();
        Process started = new ProcessBuilder(command).directory(data.toFile()).redirectError(ProcessBuilder.Redirect.appendTo(log)).start();
        CountDownLatch ready = new CountDownLatch(1);
        Thread reader = new Thread(() -> follow(started, log, ready), "sluice-test-broker-output");
        reader.setDaemon(true);
        reader.start();
        try {
            if (!ready.await(START.toMillis(), TimeUnit.MILLISECONDS) || !started.isAlive()) {
                started.destroyForcibly();
                throw new IllegalStateException("the broker did not start; see " + log);
            }
        } catch (InterruptedException e) {
            started.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the broker was starting", e);
        }
        return started;
    }

    private static void follow(Process started, File log, CountDownLatch ready) {
        try (BufferedReader lines = started.inputReader();
             var copy = new java.io.PrintWriter(new java.io.FileWriter(log, true), true)) {
            for (String line; (line = lines.readLine()) != null;) {
                copy.println(line);
                if (line.equals(BrokerMain.READY)) {
                    ready.countDown();
                }
            }
        } catch (IOException e) {
            // A killed process takes its output with it.
        } finally {
            ready.countDown();
        }
    }

    private void signal(String name) {
        try {
            await(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(Process process) {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends both and deletes their data. */
    @Override
    public void close() {
        kill();
        delete(data);
    }

    /** A port for the name server and one for the broker, which takes the second below and the one above it as well. */
    private static int[] freePorts() {
        for (int i = 0; i < PORTS; i++) {
            int first = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS / 5) * 5;
            if (Stream.of(0, 1, 2, 3, 4).allMatch(offset -> isFree(first + offset))) {
                return new int[] {first, first + 3};
            }
        }
        throw new IllegalStateException("no free ports from " + FIRST_PORT);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            // Left for the next clean build.
        }
    }
}
