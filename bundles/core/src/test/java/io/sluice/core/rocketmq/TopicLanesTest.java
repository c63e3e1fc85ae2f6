package io.sluice.core.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.rocketmq.TopicLanes.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;

class TopicLanesTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final TopicLanes topic = new TopicLanes("t", Duration.ofSeconds(10));

    private static List<MessageQueue> queues(String broker, int count) {
        return IntStream.range(0, count).mapToObj(id -> new MessageQueue("t", broker, id)).toList();
    }

    private static List<MessageQueue> both(List<MessageQueue> first, List<MessageQueue> second) {
        List<MessageQueue> both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }

    private void put(int hash, String text) {
        byte[] bytes = text.getBytes();
        if (topic.isHolding()) {
            topic.hold(bytes, bytes.length, hash, null);
        } else {
            topic.lane(hash).add(bytes, 0, bytes.length, hash, null, 1_000, 100);
        }
    }

    private static List<String> texts(List<Batch> batches) {
        List<String> texts = new ArrayList<>();
        batches.forEach(batch -> IntStream.range(0, batch.count()).forEach(i ->
            texts.add(new String(batch.bytes(), batch.begin(i), batch.size(i)))));
        return texts;
    }

    @Test
    void holdsMessagesUntilTheQueuesAreKnown() {
        put(0, "a");
        put(1, "b");
        assertThat(topic.isHolding()).isTrue();
        assertThat(topic.routed(queues("x", 2), 0)).isEqualTo(Outcome.FOUND);
        assertThat(texts(topic.switchOver())).containsExactly("a", "b");
        assertThat(topic.isHolding()).isFalse();
        assertThat(topic.lane(3)).isSameAs(topic.lane(1)).isSameAs(topic.lane(-1));
        assertThat(topic.routed(queues("x", 2), 0)).isEqualTo(Outcome.SAME);
        assertThat(topic.routed(List.of(), 0)).isEqualTo(Outcome.SAME);
    }

    @Test
    void drainsTheOldLanesBeforeNewQueuesAreUsed() {
        topic.routed(queues("x", 2), 0);
        topic.switchOver();
        put(0, "old");
        Lane busy = topic.lane(0);
        busy.depart();
        assertThat(topic.routed(queues("x", 4), 0)).isEqualTo(Outcome.CHANGING);
        put(2, "new");
        assertThat(topic.switchOver()).isEmpty();
        assertThat(topic.isHolding()).isTrue();
        assertThat(busy.endAttempt(busy.attempt())).isTrue();
        busy.finish();
        assertThat(texts(topic.switchOver())).containsExactly("new");
        assertThat(topic.lanes()).hasSize(4).contains(busy);
    }

    @Test
    void waitsForABrokerThatIsGoneAndGivesUpItsQueuesOnlyAfterSomeTime() {
        topic.routed(both(queues("x", 1), queues("y", 1)), 0);
        topic.switchOver();
        put(1, "first");
        Lane lost = topic.lane(1);
        lost.depart();
        put(1, "second");
        assertThat(topic.routed(queues("x", 1), SECOND)).isEqualTo(Outcome.LOOK_AGAIN);
        assertThat(topic.routed(queues("x", 1), 5 * SECOND)).isEqualTo(Outcome.LOOK_AGAIN);
        assertThat(topic.isHolding()).isFalse();
        lost.endAttempt(lost.attempt());
        lost.failed("away");
        assertThat(topic.trouble()).isEqualTo("away");
        assertThat(topic.routed(queues("x", 1), 12 * SECOND)).isEqualTo(Outcome.CHANGING);
        put(1, "third");
        assertThat(texts(topic.switchOver())).containsExactly("first", "second", "third");
        assertThat(topic.lanes()).hasSize(1);
        assertThat(topic.trouble()).isNull();
        assertThat(lost.awaitsRetry()).isFalse();
    }

    @Test
    void leavesALostLaneAloneAsLongAsAnAnswerIsOutstanding() {
        topic.routed(both(queues("x", 1), queues("y", 1)), 0);
        topic.switchOver();
        put(1, "asked");
        Lane lost = topic.lane(1);
        lost.depart();
        topic.routed(queues("x", 1), 0);
        assertThat(topic.routed(queues("x", 1), 11 * SECOND)).isEqualTo(Outcome.CHANGING);
        assertThat(lost.isAbandoned()).isTrue();
        assertThat(topic.switchOver()).isEmpty();
        // The broker comes back before the answer does.
        assertThat(topic.routed(both(queues("x", 1), queues("y", 1)), 12 * SECOND)).isEqualTo(Outcome.CHANGING);
        assertThat(lost.isAbandoned()).isFalse();
        assertThat(lost.endAttempt(lost.attempt())).isTrue();
        lost.finish();
        topic.switchOver();
        assertThat(topic.isHolding()).isFalse();
        assertThat(topic.lane(1)).isSameAs(lost);
    }

    @Test
    void startsTheWaitAnewWhenABrokerWasBackInBetween() {
        topic.routed(both(queues("x", 1), queues("y", 1)), 0);
        topic.switchOver();
        topic.routed(queues("x", 1), 0);
        topic.routed(both(queues("x", 1), queues("y", 1)), 5 * SECOND);
        assertThat(topic.routed(queues("x", 1), 11 * SECOND)).isEqualTo(Outcome.LOOK_AGAIN);
        assertThat(topic.isOld(60 * SECOND, 30 * SECOND)).isTrue();
        assertThat(topic.isOld(40 * SECOND, 30 * SECOND)).isFalse();
    }

    @Test
    void takesAnAnswerOnlyOnceAndOnlyForItsOwnAttempt() {
        Lane lane = new Lane(queues("x", 1).get(0));
        lane.add(new byte[] {1}, 0, 1, 0, null, 100, 100);
        lane.depart();
        int first = lane.attempt();
        assertThat(lane.endAttempt(first)).isTrue();
        assertThat(lane.endAttempt(first)).isFalse();
        lane.failed("x");
        lane.beginAttempt();
        assertThat(lane.endAttempt(first)).isFalse();
        assertThat(lane.endAttempt(lane.attempt())).isTrue();
    }

    @Test
    void halvesARefusedBatchInOrder() {
        Lane lane = new Lane(queues("x", 1).get(0));
        IntStream.range(0, 5).forEach(i -> lane.add(new byte[] {(byte) ('0' + i)}, 0, 1, i, null, 100, 100));
        lane.depart();
        lane.add(new byte[] {'9'}, 0, 1, 9, null, 100, 100);
        lane.halve();
        assertThat(texts(lane.withdraw())).containsExactly("0", "1", "2", "3", "4", "9");
    }
}
