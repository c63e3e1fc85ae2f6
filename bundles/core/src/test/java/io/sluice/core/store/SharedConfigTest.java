package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.runtime.TargetState;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Workers that share one log, read it at different paces, crash, and change the same connectors at the same time. */
class SharedConfigTest {

    private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    private static final class Worker {
        private final SharedLog.View view;
        private final ConfigStore store;
        /** What its listener was told, by connector and revision. */
        private final Map<String, Definition> told = new HashMap<>();

        private Worker(SharedLog log) throws IOException {
            view = log.view();
            store = LogConfigStore.open(view, CLOCK);
            store.listen(definition -> assertThat(told.put(definition.name() + "@" + definition.revision(), definition)).isNull());
        }
    }

    private record Change(CompletableFuture<Definition> result, String name, OptionalLong expected) { }

    @Property(tries = 150)
    void allComeToTheSameResult(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        SharedLog log = new SharedLog();
        List<Worker> workers = new ArrayList<>();
        List<Worker> all = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            workers.add(new Worker(log));
        }
        all.addAll(workers);
        int names = 1 + random.nextInt(2);
        int actions = 20 + random.nextInt(300);
        for (int i = 0; i < actions; i++) {
            int chosen = random.nextInt(workers.size());
            Worker worker = workers.get(chosen);
            String name = "connector" + random.nextInt(names);
            switch (random.nextInt(40)) {
                case 0 -> worker.store.delete(name, "d" + i);
                case 1 -> {
                    worker.view.close();
                    Worker reborn = new Worker(log);
                    workers.set(chosen, reborn);
                    all.add(reborn);
                }
                case 2 -> log.compact(workers.stream().mapToLong(each -> each.view.read()).min().orElseThrow());
                case 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 -> {
                    OptionalLong expected = random.nextBoolean() ? OptionalLong.empty()
                        : OptionalLong.of(worker.store.get(name).map(Definition::revision).orElse(0L));
                    changes.add(new Change(worker.store.put(name, Map.of("value", String.valueOf(i)), TargetState.RUNNING, "a" + i, expected), name, expected));
                }
                default -> worker.view.step();
            }
        }
        boolean more = true;
        while (more) {
            more = false;
            for (Worker worker : workers) {
                more |= worker.view.step();
            }
        }
        check(log, workers, all, changes);
    }

    private static void check(SharedLog log, List<Worker> workers, List<Worker> all, List<Change> changes) throws IOException {
        ConfigStore first = workers.get(0).store;
        log.compact(Long.MAX_VALUE);
        List<Worker> compared = new ArrayList<>(workers);
        compared.add(new Worker(log));
        for (Worker worker : compared) {
            assertThat(worker.store.all()).isEqualTo(first.all());
            for (Definition definition : first.all()) {
                List<Definition> history = worker.store.history(definition.name());
                assertThat(history).isEqualTo(first.history(definition.name())).hasSizeLessThanOrEqualTo(History.KEPT);
                for (int i = 1; i < history.size(); i++) {
                    assertThat(history.get(i).revision()).isEqualTo(history.get(i - 1).revision() + 1);
                }
            }
        }
        Map<String, Definition> known = new HashMap<>();
        for (Worker worker : all) {
            worker.told.forEach((key, definition) -> assertThat(known.merge(key, definition, (before, now) -> before)).as(key).isEqualTo(definition));
        }
        Map<String, Definition> confirmed = new HashMap<>();
        for (Change change : changes) {
            if (change.result.isCompletedExceptionally()) {
                assertThat(change.expected).as("only a condition that was not met fails").isPresent();
                try {
                    change.result.join();
                } catch (CompletionException e) {
                    assertThat(e.getCause()).isInstanceOf(StaleRevisionException.class);
                }
            } else if (change.result.isDone()) {
                Definition definition = change.result.join();
                String key = change.name + "@" + definition.revision();
                assertThat(confirmed.put(key, definition)).as("revision %s was given once", key).isNull();
                assertThat(known).containsEntry(key, definition);
                change.expected.ifPresent(expected -> assertThat(definition.revision()).isGreaterThan(expected));
            }
        }
        // Per connector its kept revisions or the mark of its deletion, and what a worker that crashed was about to remove.
        new Worker(log);
        log.compact(Long.MAX_VALUE);
        assertThat(log.size()).isLessThanOrEqualTo(2 * History.KEPT);
    }
}
