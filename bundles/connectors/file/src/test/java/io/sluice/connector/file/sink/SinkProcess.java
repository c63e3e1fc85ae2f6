package io.sluice.connector.file.sink;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A process of its own that writes numbered lines through a file sink and says how far it has committed. */
final class SinkProcess implements AutoCloseable {

    /** Lines of a batch; with the length of a line they make writes long enough to be torn. */
    static final int BATCH = 4_000;

    private final Process process;
    private final BufferedReader output;

    /** @param blocks the most blocks of 512 bytes that the operating system lets the process write to a file; 0 for any number */
    SinkProcess(Path file, int from, int batches, int batchesPerCommit, int blocks) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of("sh", "-c", (blocks > 0 ? "ulimit -f " + blocks + "; " : "") + "exec \"$@\"", "sh",
            java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-Dorg.slf4j.simpleLogger.logFile=System.out", "-cp", classPath,
            SinkProcess.class.getName(), file.toString(), Integer.toString(from), Integer.toString(batches),
            Integer.toString(batchesPerCommit)));
        process = new ProcessBuilder(command).redirectError(new File("target/sink-process.log")).start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static String line(int number) {
        return "line " + number + " " + "x".repeat(900 + number % 100) + " end of " + number;
    }

    /** The next line that the process says; null when it has ended. */
    String read() throws IOException {
        return output.readLine();
    }

    /** Ends it as {@code kill -9} does. */
    void kill() throws InterruptedException {
        // Through the handle, so that what it has said can still be read.
        process.toHandle().destroyForcibly();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the process does not end");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    public static void main(String[] args) {
        int next = Integer.parseInt(args[1]);
        try (SinkRun run = new SinkRun("file", args[0])) {
            System.out.println("ready");
            for (int batch = 0; batch < Integer.parseInt(args[2]); batch++) {
                try {
                    run.put(IntStream.range(next, next + BATCH).mapToObj(SinkProcess::line).toArray());
                    next += BATCH;
                    if ((batch + 1) % Integer.parseInt(args[3]) == 0) {
                        run.commit();
                        System.out.println("committed " + next);
                    }
                } catch (RuntimeException e) {
                    System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
                }
            }
            System.out.println("done");
        }
    }
}
