package io.sluice.core.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.KeyValue;
import io.openmessaging.internal.DefaultKeyValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;

class WireFormatTest {

    private static final WireFormat WIRE = WireFormat.DEFAULT;

    /** Every text, with a liking for what RocketMQ cannot stand. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
            Arbitraries.strings().ofMaxLength(40),
            Arbitraries.strings().withChars('\u0001', '\u0002', '%', ',', ' ', 'u', '0', '1', 'a', '\n', '\uD83D', '\uDE00', '\u0000', 'ß', '漢')
                .ofMaxLength(12));
    }

    @Provide
    Arbitrary<Map<String, String>> extensions() {
        return Arbitraries.maps(texts(), texts()).ofMaxSize(6);
    }

    @Provide
    Arbitrary<byte[]> bytes() {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(50).injectNull(0.1);
    }

    @Provide
    Arbitrary<Long> timestamps() {
        return Arbitraries.longs().injectNull(0.2);
    }

    private static KeyValue keyValue(Map<String, String> map) {
        KeyValue extensions = new DefaultKeyValue();
        map.forEach(extensions::put);
        return extensions;
    }

    /** What becomes of a message on its way through the bytes of a batch and RocketMQ's own decoder of batches. */
    private static MessageExt travelled(Message message) {
        MessageEncoder encoder = new MessageEncoder();
        encoder.encode(message, 4 << 20);
        try {
            Message decoded = MessageDecoder.decodeMessage(ByteBuffer.wrap(encoder.bytes(), 0, encoder.length()).slice());
            MessageExt read = new MessageExt();
            read.setTopic(message.getTopic());
            read.setBody(decoded.getBody());
            MessageAccessor.setProperties(read, decoded.getProperties());
            return read;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Property
    void everyRecordComesBackExactly(@ForAll("bytes") byte[] key, @ForAll("bytes") byte[] value, @ForAll("timestamps") Long timestamp,
                                     @ForAll("extensions") Map<String, String> extensions) {
        WireRecord record = WIRE.decode(travelled(WIRE.encode("topic", key, value, timestamp, keyValue(extensions))));
        assertThat(record.key()).isEqualTo(key);
        assertThat(record.value()).isEqualTo(value);
        assertThat(record.timestamp()).isEqualTo(timestamp);
        assertThat(record.topic()).isEqualTo("topic");
        assertThat(new HashMap<>(record.extensions())).isEqualTo(extensions);
    }

    @Property
    void everyTopicNameIsKeptThoughItIsMapped(@ForAll("texts") String name) {
        if (name.isEmpty()) {
            assertThatThrownBy(() -> WIRE.encode(name, null, null, null, null)).isInstanceOf(RocketMqException.class);
            return;
        }
        Message message = WIRE.encode(name, null, null, null, null);
        assertThat(message.getTopic()).matches("[%|a-zA-Z0-9_-]{1,127}").isEqualTo(WIRE.topic(name));
        assertThat(WIRE.decode(travelled(message)).topic()).isEqualTo(name);
    }

    @Property
    void ourEncodingOfABatchIsRocketMqs(@ForAll("extensions") Map<String, String> extensions, @ForAll("bytes") byte[] key) {
        Message message = WIRE.encode("topic", key, new byte[] {1, 2, 3}, 5L, keyValue(extensions));
        MessageAccessor.putProperty(message, "UNIQ_KEY", "0123456789ABCDEF0123456789ABCDEF");
        message.getProperties().remove("WAIT");
        MessageEncoder encoder = new MessageEncoder();
        encoder.encode(message, 4 << 20);
        byte[] own = java.util.Arrays.copyOf(encoder.bytes(), encoder.length());
        assertThat(own).isEqualTo(MessageDecoder.encodeMessage(message));
    }

    @Property(tries = 100)
    void ourDecoderReadsWhatRocketMqsDoes(@ForAll("extensions") Map<String, String> extensions, @ForAll("bytes") byte[] key,
                                          @ForAll("texts") String body) throws Exception {
        MessageExt stored = new MessageExt();
        Message message = WIRE.encode("topic", key, body.getBytes(StandardCharsets.UTF_8), 5L, keyValue(extensions));
        stored.setTopic("topic");
        stored.setBody(message.getBody());
        MessageAccessor.setProperties(stored, message.getProperties());
        stored.setQueueId(3);
        stored.setQueueOffset(77);
        stored.setCommitLogOffset(123_456_789_012L);
        stored.setFlag(9);
        stored.setBornTimestamp(1_700_000_000_000L);
        stored.setStoreTimestamp(1_700_000_000_001L);
        stored.setBornHost(new java.net.InetSocketAddress("127.0.0.1", 1234));
        stored.setStoreHost(new java.net.InetSocketAddress("127.0.0.2", 4321));
        byte[] bytes = MessageDecoder.encode(stored, false);
        MessageExt expected = MessageDecoder.clientDecode(ByteBuffer.wrap(bytes), true);
        expected.setBrokerName("broker");
        List<MessageExt> read = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        assertThat(MessageReader.count(buffer)).isEqualTo(1);
        new MessageReader("topic", "broker").read(buffer, 0, read);
        assertThat(buffer.hasRemaining()).isFalse();
        assertThat(read).singleElement().usingRecursiveComparison().ignoringFields("msgId").isEqualTo(expected);
        assertThat(read.get(0).getMsgId()).isEqualTo(expected.getMsgId());
    }

    @Example
    void tellsNullFromEmpty() {
        assertThat(WIRE.decode(travelled(WIRE.encode("t", null, null, null, null))).value()).isNull();
        assertThat(WIRE.decode(travelled(WIRE.encode("t", new byte[0], new byte[0], null, null))).value()).isEmpty();
        assertThat(WIRE.decode(travelled(WIRE.encode("t", new byte[0], new byte[0], null, null))).key()).isEmpty();
        assertThat(WIRE.encode("t", null, null, null, null).getBody()).hasSize(1);
    }

    @Example
    void showsTheKeyToRocketMqWhenPeopleCanReadIt() {
        assertThat(WIRE.encode("t", "order-17".getBytes(), null, null, null).getKeys()).isEqualTo("order-17");
        assertThat(WIRE.encode("t", "two words".getBytes(), null, null, null).getKeys()).isNull();
        assertThat(WIRE.encode("t", new byte[] {(byte) 0xff, 0}, null, null, null).getKeys()).isNull();
    }

    @Example
    void writesExtensionsAndTimestampAsApacheRocketMqConnectDoes() {
        Message message = WIRE.encode("t", "k".getBytes(), "v".getBytes(), 1234L, keyValue(Map.of("source", "füßchen\n\uD83D\uDE00 100%", "TAGS", "a")));
        assertThat(message.getProperties()).containsEntry("connect-ext-source", "füßchen\n\uD83D\uDE00 100%").containsEntry("connect.timestamp", "1234")
            .containsEntry("KEYS", "k").containsEntry("TAGS", "a").doesNotContainKey("sluice.encoded");
    }

    @Example
    void readsWhatApacheRocketMqConnectHasWritten() {
        MessageExt message = new MessageExt();
        message.setTopic("t");
        message.setBody("v".getBytes());
        message.setKeys("some key");
        message.setTags("urgent");
        MessageAccessor.putProperty(message, "connect.timestamp", "1234");
        MessageAccessor.putProperty(message, "connect-ext-source", "100%25");
        MessageAccessor.putProperty(message, "plain", "user property");
        MessageAccessor.putProperty(message, "UNIQ_KEY", "not for connectors");
        WireRecord record = WIRE.decode(message);
        assertThat(record.key()).isEqualTo("some key".getBytes());
        assertThat(record.value()).isEqualTo("v".getBytes());
        assertThat(record.timestamp()).isEqualTo(1234L);
        assertThat(record.extensions()).isEqualTo(Map.of("source", "100%25", "plain", "user property", "MQ-SYS-TAGS", "urgent"));
    }

    @Example
    void saysWhatIsTooLargeAndBySize() {
        assertThatThrownBy(() -> WIRE.encode("t", null, new byte[(4 << 20) + 1], null, null)).isInstanceOfSatisfying(RocketMqException.class, e -> {
            assertThat(e).hasMessageContaining("4194305").hasMessageContaining("4194304");
            assertThat(e.isRetriable()).isFalse();
        });
        WIRE.encode("t", null, new byte[4 << 20], null, null);
        assertThatThrownBy(() -> WIRE.encode("t", null, null, null, keyValue(Map.of("a", "x".repeat(40_000))))).isInstanceOfSatisfying(
            RocketMqException.class, e -> assertThat(e.isRetriable()).isFalse()).hasMessageContaining("40043");
        // Three bytes each.
        assertThatThrownBy(() -> WIRE.encode("t", null, null, null, keyValue(Map.of("a", "漢".repeat(11_000))))).isInstanceOf(RocketMqException.class);
        WIRE.encode("t", null, null, null, keyValue(Map.of("a", "漢".repeat(10_700))));
    }

    @Example
    void complainsAboutMalformedProperties() {
        MessageExt message = new MessageExt();
        message.setTopic("t");
        message.setBody("v".getBytes());
        MessageAccessor.putProperty(message, "connect.timestamp", "yesterday");
        assertThatThrownBy(() -> WIRE.decode(message)).isInstanceOfSatisfying(RocketMqException.class, e -> assertThat(e.isRetriable()).isFalse());
    }

    @Example
    void mapsTopicNamesByARuleThatCanBeSet() {
        assertThat(new TopicNames('-').map("inventory.public.orders")).isEqualTo("inventory-public-orders");
        assertThat(new TopicNames('_').map("a_b%c|d-9")).isEqualTo("a_b%c|d-9");
        assertThatThrownBy(() -> new TopicNames('.')).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> WIRE.topic("x".repeat(128))).isInstanceOf(RocketMqException.class);
    }
}
