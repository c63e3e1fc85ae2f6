package io.sluice.itests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * One unpacked distribution with ports and folders of its own: started, asked and ended as its users do it, by {@code bin/sluice}, REST and the
 * shell. Whatever was started is ended by {@link #close}.
 */
final class Distribution implements AutoCloseable {

    static final Duration START = Duration.ofSeconds(120);
    private static final Duration STOP = Duration.ofSeconds(60);
    private static final JsonMapper JSON = new JsonMapper();

    /** An answer of REST. */
    record Answer(int status, String text, HttpResponse<String> raw) {

        JsonNode json() {
            try {
                return JSON.readTree(text);
            } catch (IOException e) {
                throw new UncheckedIOException(text, e);
            }
        }
    }

    private final Path home;
    private final int httpPort;
    private final int sshPort;
    private final int namesrvPort;
    private final int brokerPort;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private Process process;

    private Distribution(Path home, int[] ports) {
        this.home = home;
        this.httpPort = ports[0];
        this.sshPort = ports[1];
        this.namesrvPort = ports[2];
        this.brokerPort = ports[4];
    }

    /** Unpacks the distribution into a fresh folder below {@code target}. */
    static Distribution unpack(String name) throws IOException, InterruptedException {
        Path folder = Path.of("target", "it", name).toAbsolutePath();
        delete(folder);
        Files.createDirectories(folder);
        int code = new ProcessBuilder("tar", "-xzf", System.getProperty("sluice.distribution"), "-C", folder.toString(), "--strip-components=1")
            .inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException("tar ended with " + code);
        }
        return new Distribution(folder, freePorts());
    }

    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path path : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** HTTP, ssh, name server, broker minus two, broker. */
    static int[] freePorts() throws IOException {
        while (true) {
            try (ServerSocket http = new ServerSocket(0); ServerSocket ssh = new ServerSocket(0); ServerSocket namesrv = new ServerSocket(0);
                 ServerSocket fast = new ServerSocket(0); ServerSocket broker = new ServerSocket(fast.getLocalPort() + 2)) {
                return new int[] {http.getLocalPort(), ssh.getLocalPort(), namesrv.getLocalPort(), fast.getLocalPort(), broker.getLocalPort()};
            } catch (java.net.BindException | IllegalArgumentException e) {
                // The port two above the one that was free is not; try another pair.
                continue;
            }
        }
    }

    Path home() {
        return home;
    }

    Path deploy() {
        return home.resolve("deploy");
    }

    int httpPort() {
        return httpPort;
    }

    String namesrvAddr() {
        return "127.0.0.1:" + namesrvPort;
    }

    String password() {
        try {
            return Files.readString(home.resolve("etc/admin.password")).trim();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ProcessBuilder builder(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("SLUICE_HTTP_PORT", Integer.toString(httpPort));
        environment.put("SLUICE_SSH_PORT", Integer.toString(sshPort));
        environment.put("SLUICE_NAMESRV_PORT", Integer.toString(namesrvPort));
        environment.put("SLUICE_BROKER_PORT", Integer.toString(brokerPort));
        environment.putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        environment.keySet().removeIf(name -> name.startsWith("KARAF_") || name.equals("JAVA_TOOL_OPTIONS"));
        return builder;
    }

    /** Starts it and returns at once. */
    Distribution start() throws IOException {
        Files.createDirectories(home.resolve("data/log"));
        process = builder("bin/sluice", "run").redirectOutput(home.resolve("data/log/console.log").toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile())).start();
        return this;
    }

    /** As {@link #start}, on another Java. */
    Distribution start(Path javaHome) throws IOException {
        Files.createDirectories(home.resolve("data/log"));
        ProcessBuilder builder = builder("bin/sluice", "run").redirectOutput(home.resolve("data/log/console.log").toFile());
        builder.environment().put("JAVA_HOME", javaHome.toString());
        process = builder.start();
        return this;
    }

    /** Waits until REST says that it is healthy. */
    Distribution awaitHealthy() {
        Awaitility.await("healthy; see " + home.resolve("data/log")).atMost(START).pollInterval(Duration.ofMillis(200)).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("it has ended with " + process.exitValue() + "; see " + home.resolve("data/log"));
            }
            return Files.exists(home.resolve("etc/admin.password")) && rest("GET", "/health", null).map(answer -> answer.status() == 200).orElse(false);
        });
        return this;
    }

    /** Asks REST; empty if nobody answers. */
    Optional<Answer> rest(String method, String path, String body) throws InterruptedException {
        return rest(method, path, body, "admin:" + password());
    }

    Optional<Answer> rest(String method, String path, String body, String credentials) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path)).timeout(Duration.ofSeconds(30))
            .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (credentials != null) {
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return Optional.of(new Answer(response.statusCode(), response.body(), response));
        } catch (ConnectException e) {
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Asks REST and expects a status. */
    Answer expect(int status, String method, String path, String body) throws InterruptedException {
        Answer answer = rest(method, path, body).orElseThrow(() -> new AssertionError(method + " " + path + ": nobody answers"));
        if (answer.status() != status) {
            throw new AssertionError(method + " " + path + " answered " + answer.status() + " and not " + status + ": " + answer.text());
        }
        return answer;
    }

    /** Creates or changes a connector. */
    void put(String name, Map<String, String> config) throws InterruptedException, IOException {
        Answer answer = rest("PUT", "/connectors/" + name + "/config", JSON.writeValueAsString(config)).orElseThrow();
        if (answer.status() / 100 != 2) {
            throw new AssertionError("PUT " + name + " answered " + answer.status() + ": " + answer.text());
        }
    }

    /** What Sluice says of a connector in full. */
    JsonNode status(String name) throws InterruptedException {
        return expect(200, "GET", "/v1/connectors/" + name + "/status", null).json();
    }

    /** Waits until a connector and all its tasks, of which there is one at least, are in a state. */
    void awaitState(String name, String state) {
        Awaitility.await(name + " is " + state + "; see " + home.resolve("data/log")).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100))
            .ignoreExceptions().until(() -> isIn(name, state));
    }

    private boolean isIn(String name, String state) throws InterruptedException {
        JsonNode status = status(name);
        if (!status.at("/connector/state").asText().equals(state)) {
            return false;
        }
        boolean withTasks = state.equals("RUNNING") || state.equals("PAUSED");
        if (withTasks && status.get("tasks").isEmpty()) {
            return false;
        }
        for (JsonNode task : status.get("tasks")) {
            if (withTasks && !task.get("state").asText().equals(state)) {
                return false;
            }
        }
        return true;
    }

    /** What a shell command printed, and its exit code. */
    record Shell(int code, String output) { }

    /** Carries out one command in the shell. */
    Shell shell(String command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(home.resolve("data/tmp"), "shell", ".out");
        Process shell = builder("bin/sluice", "shell", command).redirectOutput(output.toFile()).start();
        shell.getOutputStream().close();
        if (!shell.waitFor(60, TimeUnit.SECONDS)) {
            shell.destroyForcibly();
            throw new AssertionError("'" + command + "' did not end within 60 s");
        }
        return new Shell(shell.exitValue(), Files.readString(output));
    }

    /** The broker's process, if there is one. */
    Optional<ProcessHandle> broker() {
        String mark = home.resolve("data/broker").toString();
        return ProcessHandle.allProcesses().filter(ProcessHandle::isAlive)
            .filter(handle -> commandLine(handle).contains("BrokerMain") && commandLine(handle).contains(mark)).findFirst();
    }

    private static String commandLine(ProcessHandle handle) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(handle.pid()), "cmdline")).replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    /** The worker's process. */
    ProcessHandle worker() {
        // bin/sluice and bin/karaf give way to each other by exec, but Karaf's script keeps a shell around its JVM.
        return Stream.concat(process.descendants(), Stream.of(process.toHandle()))
            .filter(handle -> commandLine(handle).contains("org.apache.karaf.main.Main")).findFirst().orElseThrow();
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Ends the worker the hard way: kill -9. Its broker ends by itself. */
    void kill() throws InterruptedException {
        ProcessHandle worker = worker();
        worker.destroyForcibly();
        process.waitFor(20, TimeUnit.SECONDS);
    }

    /** Stops it as users do. */
    void stop() throws InterruptedException {
        if (process == null) {
            return;
        }
        if (process.isAlive()) {
            worker().destroy();
            if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("it did not stop within " + STOP.toSeconds() + " s");
            }
        }
        process = null;
    }

    @Override
    public void close() throws InterruptedException {
        List<ProcessHandle> left = new ArrayList<>();
        try {
            stop();
        } finally {
            broker().ifPresent(left::add);
            for (ProcessHandle handle : left) {
                handle.onExit().completeOnTimeout(null, 20, TimeUnit.SECONDS).join();
                handle.destroyForcibly();
            }
        }
    }
}
