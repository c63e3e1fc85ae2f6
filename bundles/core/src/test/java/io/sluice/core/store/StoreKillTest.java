package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that is killed while it writes. More rounds with {@code -Dsluice.kill.rounds}. */
class StoreKillTest {

    private static final int ROUNDS = Integer.getInteger("sluice.kill.rounds", 5);

    @TempDir
    Path folder;

    @Test
    @Timeout(300)
    void losesNothingThatWasConfirmedWhenItIsKilled() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long confirmed = -1;
        for (int round = 0; round < ROUNDS; round++) {
            confirmed = Math.max(confirmed, runAndKill(random.nextInt(400)));
            Seen seen = new Seen();
            StoreLog log = new FileStoreLog(folder);
            log.open(seen);
            log.close();
            assertThat(seen.lastPosition()).as("round %s, seed %s", round, seed).isGreaterThanOrEqualTo(confirmed);
            assertThat(seen.positions()).isSorted().doesNotHaveDuplicates();
            assertThat(seen.values()).as("round %s, seed %s", round, seed).isEqualTo(StoreKillMain.state(seen.lastPosition()));
        }
        assertThat(confirmed).isGreaterThan(ROUNDS * 100L);
    }

    @Test
    @Timeout(60)
    void keepsAnotherProcessOutAndTellsItsNumber() throws Exception {
        Process other = start();
        try {
            BufferedReader lines = lines(other);
            assertThat(lines.readLine()).startsWith("confirmed");
            assertThatThrownBy(() -> new FileStoreLog(folder).open(new Seen())).isInstanceOf(IOException.class)
                .hasMessageContainingAll(folder.toString(), "in use by the process " + other.pid());
            assertThatThrownBy(() -> new FileStoreLog(folder).open(new Seen())).as("the failed attempt did not break the lock").isInstanceOf(IOException.class);
        } finally {
            other.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
        try (StoreLog log = new FileStoreLog(folder)) {
            log.open(new Seen());
        }
    }

    /** @return the last position that was confirmed */
    private long runAndKill(int afterMs) throws Exception {
        Process process = start();
        try (BufferedReader lines = lines(process)) {
            long last = position(lines.readLine());
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(afterMs);
            while (System.nanoTime() < end) {
                last = position(lines.readLine());
            }
            // By its handle: to destroy the process itself would close the stream.
            process.toHandle().destroyForcibly();
            for (String line = lines.readLine(); line != null && line.matches("confirmed \\d+"); line = lines.readLine()) {
                // The very last line may be torn: then it says less than was confirmed.
                last = Math.max(last, lines.ready() ? position(line) : last);
            }
            return last;
        } finally {
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static long position(String line) {
        assertThat(line).startsWith("confirmed ");
        return Long.parseLong(line.substring("confirmed ".length()));
    }

    private static BufferedReader lines(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    private Process start() throws IOException {
        return new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), StoreKillMain.class.getName(), folder.toString()))
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }
}
