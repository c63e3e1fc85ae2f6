package io.sluice.core.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.KeyValue;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.spi.RecordNames;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;

class TopicExtensionTest {

    @Test
    void extensionThatOnlyRepeatsTheTopicIsNotSent() {
        KeyValue extensions = new DefaultKeyValue();
        extensions.put(RecordNames.TOPIC_EXTENSION, "shop.orders");
        extensions.put("other", "kept");

        Message message = WireFormat.DEFAULT.encode("shop.orders", null, new byte[] {1}, null, extensions);

        assertThat(message.getTopic()).isEqualTo("shop_orders");
        assertThat(message.getProperties()).containsEntry(WireFormat.TOPIC, "shop.orders").containsEntry("connect-ext-other", "kept")
            .doesNotContainKey("connect-ext-topic");
        assertThat(WireFormat.DEFAULT.encode("elsewhere", null, new byte[] {1}, null, extensions).getProperties())
            .containsEntry("connect-ext-topic", "shop.orders");
    }
}
