package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.store.StoreLog.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found after a crash or a bad disk, byte by byte. */
class DamagedLogTest {

    private static final int ENTRIES = 9;

    @TempDir
    Path folder;

    /** A log as a crash leaves it. @param ends where the file ended after each append @param states what it held then */
    private record Crashed(byte[] content, List<Integer> ends, List<Map<String, String>> states) {

        /** What a log must hold that was cut or damaged behind this many intact bytes. */
        Map<String, String> stateAt(int bytes) {
            int appends = (int) ends.stream().filter(end -> end <= bytes).count();
            return appends == 0 ? Map.of() : states.get(appends - 1);
        }
    }

    private Crashed write(Path source) throws Exception {
        List<Integer> ends = new ArrayList<>();
        List<Map<String, String>> states = new ArrayList<>();
        Map<String, String> state = new LinkedHashMap<>();
        Random random = new Random(7);
        try (StoreLog log = log(source)) {
            log.open(new Seen());
            for (int i = 0; i < ENTRIES; i++) {
                byte[] noise = new byte[random.nextInt(30)];
                random.nextBytes(noise);
                String value = new String(noise, StandardCharsets.ISO_8859_1);
                String key = "key" + i % 5;
                if (i % 4 == 3) {
                    state.remove(key);
                    log.append(key, null).get(10, TimeUnit.SECONDS);
                } else {
                    state.put(key, value);
                    state.put("with " + key, "both");
                    log.append(List.of(new Entry(key, value.getBytes(StandardCharsets.UTF_8)), new Entry("with " + key, "both".getBytes(StandardCharsets.UTF_8))))
                        .get(10, TimeUnit.SECONDS);
                }
                ends.add((int) Files.size(fileIn(source)));
                states.add(Map.copyOf(state));
            }
            return new Crashed(Files.readAllBytes(fileIn(source)), ends, states);
        }
    }

    private static StoreLog log(Path folder) {
        return new FileStoreLog(folder, new Compaction.Limits(Long.MAX_VALUE, 1 << 20), FaultyFiles.careless());
    }

    private static Path fileIn(Path folder) {
        return folder.resolve("000000000001.log");
    }

    /** Opens a log with this content, checks now and then that it can go on, and says what was in it. */
    private Map<String, String> open(String name, byte[] content) throws Exception {
        Path copy = Files.createDirectory(folder.resolve(name));
        Files.write(fileIn(copy), content);
        Map<String, String> found;
        try (StoreLog log = log(copy)) {
            Seen seen = new Seen();
            log.open(seen);
            found = seen.values();
            if (content.length % 10 != 0) {
                return found;
            }
            log.append("next", "n".getBytes(StandardCharsets.UTF_8)).get(10, TimeUnit.SECONDS);
        }
        try (StoreLog log = log(copy)) {
            Seen again = new Seen();
            log.open(again);
            Map<String, String> expected = new LinkedHashMap<>(found);
            expected.put("next", "n");
            assertThat(again.values()).as("after going on").isEqualTo(expected);
            assertThat(again.positions()).isSorted().doesNotHaveDuplicates();
        }
        return found;
    }

    @Test
    void cutsATailThatIsTornAtAnyByte() throws Exception {
        Crashed log = write(folder.resolve("source"));
        for (int length = LogFormat.HEADER_BYTES; length <= log.content.length; length++) {
            assertThat(open("cut" + length, Arrays.copyOf(log.content, length))).as("cut to %s bytes", length).isEqualTo(log.stateAt(length));
        }
    }

    @Test
    void cutsATailOfWhichAPowerLossKeptOnlyTheEnd() throws Exception {
        Crashed log = write(folder.resolve("source"));
        int last = log.ends.get(ENTRIES - 2);
        for (int zeros = 1; zeros <= log.content.length - last; zeros++) {
            byte[] content = log.content.clone();
            Arrays.fill(content, last, last + zeros, (byte) 0);
            assertThat(open("zeros" + zeros, content)).as("%s zeros", zeros).isEqualTo(log.stateAt(last));
        }
        assertThat(open("longer", Arrays.copyOf(log.content, log.content.length + 100_000))).isEqualTo(log.stateAt(log.content.length));
    }

    @Test
    void saysWhereItIsDamagedAndNeverLeavesOutWhatWasConfirmed() throws Exception {
        Crashed log = write(folder.resolve("source"));
        Path copy = Files.createDirectory(folder.resolve("damaged"));
        int last = log.ends.get(ENTRIES - 2);
        for (int at = 0; at < last; at++) {
            for (int bit = 0; bit < 8; bit += 5) {
                byte[] content = log.content.clone();
                content[at] ^= (byte) (1 << bit);
                Files.write(fileIn(copy), content);
                Seen seen = new Seen();
                StoreLog opened = log(copy);
                assertThatThrownBy(() -> opened.open(seen)).as("bit %s of byte %s", bit, at).isInstanceOf(IOException.class)
                    .hasMessageContaining(fileIn(copy).toString()).hasMessageMatching("(?s).*(restore the folder|start the version that wrote it).*");
                opened.close();
                assertThat(Files.readAllBytes(fileIn(copy))).as("nothing was changed").isEqualTo(content);
            }
        }
    }

    @Test
    void namesTheFirstDamagedByteOfAFrame() throws Exception {
        Crashed log = write(folder.resolve("source"));
        Path copy = Files.createDirectory(folder.resolve("damaged"));
        byte[] content = log.content.clone();
        int begin = log.ends.get(3);
        content[begin + 20] ^= 1;
        Files.write(fileIn(copy), content);
        assertThatThrownBy(() -> log(copy).open(new Seen())).hasMessageContaining("damaged at byte " + begin)
            .hasMessageContaining("intact entries follow at byte " + log.ends.get(4));
    }

    @Test
    void noticesDamageToTheLastEntryOfALogThatWasClosedInOrder() throws Exception {
        Path source = folder.resolve("source");
        Crashed log = write(source);
        byte[] closed = Files.readAllBytes(fileIn(source));
        assertThat(closed).hasSizeGreaterThan(log.content.length);
        for (int at = log.ends.get(ENTRIES - 2); at < log.content.length; at++) {
            byte[] content = closed.clone();
            content[at] ^= 0x10;
            Path copy = Files.createDirectories(folder.resolve("damaged"));
            Files.write(fileIn(copy), content);
            assertThatThrownBy(() -> log(copy).open(new Seen())).as("byte %s", at).hasMessageContaining("damaged at byte");
        }
    }

    @Test
    void refusesAFileThatIsNotItsOwn() throws Exception {
        Path copy = Files.createDirectory(folder.resolve("foreign"));
        Files.writeString(fileIn(copy), "This is a text that somebody has put here.");
        assertThatThrownBy(() -> log(copy).open(new Seen())).hasMessageContaining("is not the file of a store");
        Files.writeString(fileIn(copy), "short");
        assertThatThrownBy(() -> log(copy).open(new Seen())).hasMessageContaining("damaged at byte 5");
    }

    @Test
    void doesNotTakeALogInsideAValueForItsOwnEntries() throws Exception {
        Crashed inner = write(folder.resolve("inner"));
        Path source = folder.resolve("outer");
        byte[] content;
        try (StoreLog log = log(source)) {
            log.open(new Seen());
            log.append("first", "1".getBytes(StandardCharsets.UTF_8)).get(10, TimeUnit.SECONDS);
            log.append("log", inner.content).get(10, TimeUnit.SECONDS);
            content = Files.readAllBytes(fileIn(source));
        }
        assertThat(open("torn", Arrays.copyOf(content, content.length - 1))).containsOnlyKeys("first");
    }
}
