package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.runtime.TargetState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class LogConfigStoreTest {

    private static final Instant NOW = Instant.parse("2026-12-01T10:00:00.123Z");

    @TempDir
    Path folder;

    /** Another view of the same log. */
    StoreLog log() {
        return new FileStoreLog(folder);
    }

    private ConfigStore open() throws IOException {
        return LogConfigStore.open(log(), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.get(10, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Definition> put(ConfigStore store, String name, String value, OptionalLong expected) {
        return store.put(name, Map.of("key", value), TargetState.RUNNING, "admin@rest", expected);
    }

    @Test
    void keepsDefinitionsAndTheirHistoryAcrossARestart() throws Exception {
        Definition first;
        Definition second;
        try (ConfigStore store = open()) {
            first = await(put(store, "orders", "1", OptionalLong.of(0)));
            second = await(store.put("orders", Map.of("key", "2"), TargetState.PAUSED, "me@shell", OptionalLong.of(1)));
            await(put(store, "others", "x", OptionalLong.empty()));
        }
        assertThat(first).isEqualTo(new Definition("orders", Map.of("key", "1"), TargetState.RUNNING, 1, "admin@rest", NOW));
        assertThat(second).isEqualTo(new Definition("orders", Map.of("key", "2"), TargetState.PAUSED, 2, "me@shell", NOW));
        try (ConfigStore store = open()) {
            assertThat(store.get("orders")).contains(second);
            assertThat(store.history("orders")).containsExactly(first, second);
            assertThat(store.all()).extracting(Definition::name).containsExactly("orders", "others");
            assertThat(store.get("none")).isEmpty();
            assertThat(store.history("none")).isEmpty();
        }
    }

    @Test
    void refusesAChangeThatIsBasedOnAnOldRevision() throws Exception {
        try (ConfigStore store = open()) {
            await(put(store, "orders", "1", OptionalLong.of(0)));
            await(put(store, "orders", "2", OptionalLong.of(1)));
            for (long stale : List.of(0L, 1L, 3L)) {
                assertThatThrownBy(() -> await(put(store, "orders", "3", OptionalLong.of(stale)))).isInstanceOf(ExecutionException.class)
                    .cause().isInstanceOf(StaleRevisionException.class).hasMessageContaining("'orders'").hasMessageContaining("revision 2");
            }
            assertThat(store.get("orders").orElseThrow().config()).containsEntry("key", "2");
        }
    }

    @Test
    void letsOneOfManyWinWhoSawTheSameRevision() throws Exception {
        try (ConfigStore store = open()) {
            await(put(store, "orders", "0", OptionalLong.of(0)));
            List<CompletableFuture<Definition>> changes = new ArrayList<>();
            for (int i = 1; i <= 20; i++) {
                changes.add(put(store, "orders", "" + i, OptionalLong.of(1)));
            }
            CompletableFuture.allOf(changes.toArray(CompletableFuture[]::new)).handle((done, e) -> null).get(10, TimeUnit.SECONDS);
            assertThat(changes).filteredOn(change -> !change.isCompletedExceptionally()).singleElement()
                .satisfies(winner -> assertThat(store.get("orders")).contains(winner.join()));
        }
    }

    @Test
    void letsEveryUnconditionalChangeThrough() throws Exception {
        try (ConfigStore store = open()) {
            List<CompletableFuture<Definition>> changes = new ArrayList<>();
            for (int i = 1; i <= 50; i++) {
                changes.add(put(store, "orders", "" + i, OptionalLong.empty()));
            }
            List<Long> revisions = new ArrayList<>();
            for (CompletableFuture<Definition> change : changes) {
                revisions.add(await(change).revision());
            }
            assertThat(revisions).containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
        }
        try (ConfigStore store = open()) {
            assertThat(store.history("orders")).extracting(Definition::revision).containsExactlyElementsOf(LongStream.rangeClosed(31, 50).boxed().toList());
        }
    }

    @Test
    void neverUsesARevisionTwice() throws Exception {
        try (ConfigStore store = open()) {
            await(put(store, "orders", "1", OptionalLong.empty()));
            await(put(store, "orders", "2", OptionalLong.empty()));
            await(store.delete("orders", "admin@rest"));
            await(store.delete("orders", "admin@rest"));
            assertThat(store.get("orders")).isEmpty();
            assertThat(store.all()).isEmpty();
            assertThat(store.history("orders")).isEmpty();
        }
        try (ConfigStore store = open()) {
            assertThat(store.get("orders")).isEmpty();
            assertThat(await(put(store, "orders", "3", OptionalLong.of(0))).revision()).isEqualTo(4);
            assertThat(store.history("orders")).hasSize(1);
        }
    }

    @Test
    void tellsListenersOfEveryChangeInOrder() throws Exception {
        List<String> told = new ArrayList<>();
        try (ConfigStore store = open()) {
            await(put(store, "before", "1", OptionalLong.empty()));
            store.listen(definition -> told.add(definition.name() + "@" + definition.revision() + " " + store.get(definition.name()).isPresent()));
            store.listen(definition -> {
                throw new IllegalStateException("of one listener, harmless to the others");
            });
            await(put(store, "orders", "1", OptionalLong.empty()));
            await(put(store, "orders", "2", OptionalLong.empty()));
            await(store.delete("orders", "me"));
        }
        assertThat(told).containsExactly("orders@1 true", "orders@2 true", "orders@3 false");
    }

    private void write(String key, String json) throws Exception {
        try (StoreLog log = log()) {
            log.open((position, known, value) -> { });
            await(log.append(key, json.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void ignoresFieldsThatALaterVersionHasAdded() throws Exception {
        write("orders@7#x", """
            {"format":1,"name":"orders","revision":7,"basedOn":"","config":{"key":"1"},"target":"PAUSED","author":"me","at":1,"mood":{"good":[1]}}""");
        try (ConfigStore store = open()) {
            assertThat(store.get("orders")).contains(new Definition("orders", Map.of("key", "1"), TargetState.PAUSED, 7, "me", Instant.ofEpochMilli(1)));
        }
    }

    @Test
    void refusesToOpenWhatALaterVersionHasWritten() throws Exception {
        write("orders@7#x", """
            {"format":2,"name":"orders"}""");
        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContainingAll("'orders@7#x'", "format 2", "start the version that wrote it");
        try (StoreLog log = log()) {
            log.open((position, key, value) -> assertThat(key).as("nothing was changed").isEqualTo("orders@7#x"));
        }
    }

    @Test
    void leavesOutAnEntryThatCannotBeRead() throws Exception {
        write("broken", "{");
        write("nameless", """
            {"format":1,"revision":1,"config":{},"target":"RUNNING"}""");
        try (ConfigStore store = open()) {
            await(put(store, "orders", "1", OptionalLong.of(0)));
            assertThat(store.all()).hasSize(1);
        }
    }

    @Test
    void reopensTenThousandConnectorsInAFewSeconds() throws Exception {
        Map<String, String> config = new HashMap<>();
        for (int i = 0; i < 25; i++) {
            config.put("some.configuration.key" + i, "a value of usual length " + i);
        }
        int connectors = 10_000;
        try (ConfigStore store = open()) {
            for (int round = 1; round <= 2; round++) {
                List<CompletableFuture<Definition>> puts = new ArrayList<>();
                for (int i = 0; i < connectors; i++) {
                    puts.add(store.put("connector" + i, config, TargetState.RUNNING, "admin@rest", OptionalLong.of(round - 1)));
                }
                CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            }
        }
        long start = System.nanoTime();
        try (ConfigStore store = open()) {
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(store.all()).hasSize(connectors).allMatch(definition -> definition.revision() == 2);
            assertThat(took).isLessThan(Duration.ofSeconds(10));
            LoggerFactory.getLogger(getClass()).info("{} connectors with 2 revisions each replayed in {} ms", connectors, took.toMillis());
        }
    }
}
