package io.sluice.core.rocketmq.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.rocketmq.RemotingRocketMq;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TestBrokerTest {

    @Test
    void keepsTopicsAcrossKillAndRestart() {
        Path strayLogs = Path.of(System.getProperty("user.home"), "logs", "rocketmqlogs");
        boolean before = Files.exists(strayLogs);
        TestBroker broker = TestBroker.shared();
        try (RemotingRocketMq rocketMq = RemotingRocketMq.open(new RemotingRocketMq.Settings(broker.namesrvAddr(), "fixture"))) {
            rocketMq.ensureTopic("fixture", 3);
            broker.kill();
            broker.restart();
            assertThat(rocketMq.queues("fixture")).hasSize(3);
            assertThat(rocketMq.topics()).contains("fixture");
        }
        assertThat(Files.exists(strayLogs)).isEqualTo(before);
    }
}
