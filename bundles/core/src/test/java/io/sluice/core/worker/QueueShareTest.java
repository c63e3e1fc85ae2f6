package io.sluice.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.rocketmq.common.message.MessageQueue;

class QueueShareTest {

    @Property(tries = 100)
    void everyQueueHasOneOwnerAndSharesAreEven(@ForAll @IntRange(max = 40) int queues, @ForAll @IntRange(min = 1, max = 9) int tasks, @ForAll long seed) {
        List<MessageQueue> all = new ArrayList<>();
        for (int i = 0; i < queues; i++) {
            all.add(new MessageQueue("t" + i % 3, "b" + i % 2, i));
        }
        List<MessageQueue> owned = new ArrayList<>();
        for (int id = 0; id < tasks; id++) {
            Collections.shuffle(all, new Random(seed + id));
            List<MessageQueue> share = QueueShare.of(all, id, tasks);
            assertThat(share.size()).isBetween(queues / tasks, (queues + tasks - 1) / tasks);
            owned.addAll(share);
        }
        assertThat(owned).containsExactlyInAnyOrderElementsOf(all);
    }
}
