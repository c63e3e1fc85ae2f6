package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.store.StoreLog.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** The log against a map, whatever is appended and however often it is closed, crashes and is compacted. */
class FileStoreLogModelTest {

    sealed interface Action { }

    record Append(List<Change> changes) implements Action { }

    record Change(String key, String value) { }

    record Reopen() implements Action { }

    /** Ends with some bytes of a write that was not finished. */
    record Crash(byte[] torn) implements Action { }

    @Property(tries = 60)
    void holdsWhatAMapHolds(@ForAll("actions") List<Action> actions, @ForAll("limits") Compaction.Limits limits) throws Exception {
        Path folder = Files.createTempDirectory("store");
        try {
            Map<String, String> model = new LinkedHashMap<>();
            Seen seen = new Seen();
            long last = -1;
            StoreLog log = open(folder, limits, seen);
            List<CompletableFuture<Long>> appends = new ArrayList<>();
            for (Action action : actions) {
                if (action instanceof Append append) {
                    append.changes.forEach(change -> put(model, change));
                    appends.add(log.append(append.changes.stream().map(change -> new Entry(change.key, bytes(change.value))).toList()));
                    continue;
                }
                for (CompletableFuture<Long> append : appends) {
                    long position = append.get(10, TimeUnit.SECONDS);
                    assertThat(position).isGreaterThan(last);
                    last = position;
                }
                appends.clear();
                assertThat(seen.values()).isEqualTo(model);
                log.close();
                if (action instanceof Crash crash) {
                    tear(folder, crash.torn);
                }
                seen = new Seen();
                log = open(folder, limits, seen);
                assertThat(seen.values()).isEqualTo(model);
                assertThat(List.copyOf(seen.values().keySet())).as("order").isEqualTo(List.copyOf(model.keySet()));
                assertThat(seen.positions()).isSorted().doesNotHaveDuplicates().allMatch(position -> position >= 0);
            }
            log.close();
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
            }
        }
    }

    private static StoreLog open(Path folder, Compaction.Limits limits, Seen seen) throws IOException {
        StoreLog log = new FileStoreLog(folder, limits, FaultyFiles.careless());
        log.open(seen);
        return log;
    }

    private static void put(Map<String, String> model, Change change) {
        model.remove(change.key);
        if (change.value != null) {
            model.put(change.key, change.value);
        }
    }

    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static void tear(Path folder, byte[] torn) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Path file = files.filter(path -> path.toString().endsWith(".log")).findFirst().orElseThrow();
            Files.write(file, torn, StandardOpenOption.APPEND);
        }
    }

    @Provide
    Arbitrary<Compaction.Limits> limits() {
        return Combinators.combine(Arbitraries.of(0L, 200L, 2_000L), Arbitraries.of(1L, 100L, 1_000L)).as(Compaction.Limits::new);
    }

    @Provide
    Arbitrary<List<Action>> actions() {
        Arbitrary<String> keys = Arbitraries.of("a", "b", "c", "d", "", "ü€😀", "a longer key");
        Arbitrary<String> values = Arbitraries.strings().withCharRange('a', 'z').withChars("ü€").ofMaxLength(200).injectNull(0.3);
        Arbitrary<Action> appends = Combinators.combine(keys, values).as(Change::new).list().ofMinSize(1).ofMaxSize(4).map(Append::new);
        Arbitrary<Action> crashes = Arbitraries.bytes().array(byte[].class).ofMaxSize(40).map(Crash::new);
        Arbitrary<Action> reopens = Arbitraries.create(Reopen::new);
        return Arbitraries.frequencyOf(Tuple.of(20, appends), Tuple.of(1, reopens), Tuple.of(1, crashes))
            .list().ofMinSize(1).ofMaxSize(150).map(actions -> {
                List<Action> all = new ArrayList<>(actions);
                all.add(new Reopen());
                return all;
            });
    }
}
