package io.sluice.core.store;

import io.sluice.core.rocketmq.RemotingRocketMq;
import io.sluice.core.rocketmq.testing.TestBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections to a broker, and logs over its topics. */
final class TopicLogs implements AutoCloseable {

    private static final AtomicInteger CLIENTS = new AtomicInteger();

    private final RemotingRocketMq rocketMq;

    TopicLogs(String namesrvAddr) {
        rocketMq = RemotingRocketMq.open(new RemotingRocketMq.Settings(namesrvAddr, "log-" + ProcessHandle.current().pid() + "-" + CLIENTS.getAndIncrement()));
    }

    static TopicLogs shared() {
        return new TopicLogs(TestBroker.shared().namesrvAddr());
    }

    static String newTopic() {
        return "log-" + UUID.randomUUID().toString().substring(0, 8);
    }

    RemotingRocketMq rocketMq() {
        return rocketMq;
    }

    static TopicLogSettings settings(Path folder) {
        return TopicLogSettings.in(folder).withTimeouts(Duration.ofSeconds(40), Duration.ofSeconds(15));
    }

    TopicStoreLog log(String topic, Path folder) {
        return log(topic, settings(folder));
    }

    TopicStoreLog log(String topic, TopicLogSettings settings) {
        return new TopicStoreLog(rocketMq.log(topic), settings);
    }

    @Override
    public void close() {
        rocketMq.close();
    }
}
