package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.store.History.Revision;
import io.sluice.runtime.TargetState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private static Revision entry(String key, String basedOn, long number) {
        return new Revision(key, basedOn, new Definition("orders", Map.of("key", key), TargetState.RUNNING, number, "me", Instant.EPOCH), false);
    }

    private static Revision deletion(String key, String basedOn, long number) {
        return new Revision(key, basedOn, new Definition("orders", Map.of(), TargetState.STOPPED, number, "me", Instant.EPOCH), true);
    }

    private static List<String> keys(History history) {
        return history.revisions().stream().map(Revision::key).toList();
    }

    private static History after(Revision... entries) {
        History history = History.of(entries[0]);
        for (int i = 1; i < entries.length; i++) {
            history = history.next(entries[i]).history();
        }
        return history;
    }

    @Test
    void acceptsTheFirstOfTwoThatAreBasedOnTheSameRevision() {
        History history = after(entry("a", "", 1), entry("b", "a", 2));
        History.Step step = history.next(entry("c", "a", 2));
        assertThat(step.history()).isSameAs(history);
        assertThat(step.outdated()).extracting(Revision::key).containsExactly("c");
        assertThat(keys(after(entry("a", "", 1), entry("other", "", 1), entry("b", "a", 2)))).containsExactly("a", "b");
    }

    @Test
    void ignoresARepetition() {
        History history = after(entry("a", "", 1), entry("b", "a", 2));
        assertThat(history.next(entry("a", "", 1)).outdated()).isEmpty();
        assertThat(history.next(entry("a", "", 1)).history()).isSameAs(history);
    }

    @Test
    void keepsTwentyRevisions() {
        History history = after(IntStream.rangeClosed(1, 20).mapToObj(i -> entry("k" + i, i == 1 ? "" : "k" + (i - 1), i)).toArray(Revision[]::new));
        History.Step step = history.next(entry("k21", "k20", 21));
        assertThat(step.outdated()).extracting(Revision::key).containsExactly("k1");
        assertThat(keys(step.history())).hasSize(20).startsWith("k2").endsWith("k21");
    }

    @Test
    void goesOnWithTheNumbersAfterADeletion() {
        History history = after(entry("a", "", 1), entry("b", "a", 2), deletion("c", "b", 3));
        assertThat(keys(history)).containsExactly("c");
        assertThat(history.present()).isZero();
        assertThat(keys(after(deletion("c", "b", 3), entry("d", "c", 4)))).containsExactly("d");
    }

    @Test
    void doesNotTakeAnEntryThatLostForAccepted() {
        // "a", on which "x" was based as well as "b", has been dropped, and "b" with it.
        History.Step step = History.of(entry("x", "a", 2)).next(entry("c", "b", 3));
        assertThat(keys(step.history())).containsExactly("c");
        assertThat(step.outdated()).extracting(Revision::key).containsExactly("x");
    }

    @Test
    void putsAnEntryInFrontThatWasWrittenAgainAfterItsSuccessor() {
        assertThat(keys(after(entry("b", "a", 2), entry("c", "b", 3), entry("a", "", 1)))).containsExactly("a", "b", "c");
        assertThat(keys(after(entry("b", "a", 2), deletion("a", "z", 1)))).containsExactly("b");
    }
}
