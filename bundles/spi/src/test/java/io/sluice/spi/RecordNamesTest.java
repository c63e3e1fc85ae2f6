package io.sluice.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordNamesTest {

    @Test
    void topicIsThatOfTheExtensionElseThatOfTheQueue() {
        ConnectRecord fromQueue = record(Map.of("topic", "orders", "brokerName", "b", "queueId", "0"));
        assertThat(RecordNames.topicOf(fromQueue)).contains("orders");
        fromQueue.addExtension("topic", "orders-eu");
        assertThat(RecordNames.topicOf(fromQueue)).contains("orders-eu");
    }

    @Test
    void aSourcesOwnPartitionKeyIsNotTakenForATopic() {
        assertThat(RecordNames.topicOf(record(Map.of("topic", "what the source calls so")))).isEmpty();
        assertThat(RecordNames.topicOf(new ConnectRecord(null, null, 0L))).isEmpty();
    }

    private static ConnectRecord record(Map<String, String> partition) {
        return new ConnectRecord(new RecordPartition(partition), new RecordOffset(Map.of()), 0L);
    }
}
