package io.sluice.core.rocketmq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** Sends numbered texts, remembers what became of them, and reads topics back. */
final class Sent {

    final Map<String, Long> offsets = new ConcurrentHashMap<>();
    final Map<String, MessageQueue> queues = new ConcurrentHashMap<>();
    final Map<String, RocketMqException> refused = new ConcurrentHashMap<>();
    final AtomicInteger told = new AtomicInteger();

    static RemotingRocketMq open(String namesrvAddr, String name) {
        return RemotingRocketMq.open(new RemotingRocketMq.Settings(namesrvAddr, name));
    }

    static RocketMq.SenderSettings settings() {
        return new RocketMq.SenderSettings(256 << 10, 1_000, Duration.ZERO, 8 << 20, 4);
    }

    static Message message(String topic, String text) {
        return new Message(topic, text.getBytes(StandardCharsets.UTF_8));
    }

    /** The listener of one text. */
    RecordSender.Listener listener(String text) {
        return new RecordSender.Listener() {
            @Override
            public void acknowledged(MessageQueue queue, long queueOffset) {
                told.incrementAndGet();
                offsets.put(text, queueOffset);
                queues.put(text, queue);
            }

            @Override
            public void refused(RocketMqException reason) {
                told.incrementAndGet();
                refused.put(text, reason);
            }
        };
    }

    void send(RecordSender sender, String topic, String text, int hash) {
        sender.send(message(topic, text), hash, listener(text));
    }

    /** The messages of a topic by queue, in order; waits until there are so many, and then for more that should not be there. */
    static Map<MessageQueue, List<MessageExt>> readAll(RocketMq rocketMq, String topic, int count) throws InterruptedException {
        Map<MessageQueue, Long> starts = new HashMap<>();
        Map<MessageQueue, List<MessageExt>> read = new HashMap<>();
        for (MessageQueue queue : rocketMq.queues(topic)) {
            starts.put(queue, 0L);
            read.put(queue, new ArrayList<>());
        }
        try (QueueReader reader = rocketMq.reader("read-all", "read-all", new RocketMq.ReaderSettings(1_000, 8 << 20))) {
            reader.assign(starts);
            int got = 0;
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            for (boolean more = true; more || got < count;) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("read " + got + " of " + count + "; " + reader.trouble());
                }
                List<MessageExt> messages = reader.poll(Duration.ofMillis(200));
                for (MessageExt message : messages) {
                    read.get(new MessageQueue(message.getTopic(), message.getBrokerName(), message.getQueueId())).add(message);
                }
                got += messages.size();
                more = !messages.isEmpty();
            }
        }
        return read;
    }

    static String text(MessageExt message) {
        return new String(message.getBody(), StandardCharsets.UTF_8);
    }
}
