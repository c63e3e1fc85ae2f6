package io.sluice.core.rocketmq;

import io.openmessaging.KeyValue;
import io.sluice.spi.RecordNames;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * How a record becomes a message, and a message a record.
 *
 * <ul>
 * <li>The body is the value. RocketMQ refuses empty bodies, so a record without a value, and one with an empty value, has a body of one
 *     byte and the property {@code sluice.value} with {@code null} or {@code empty}.
 * <li>The key is in {@code sluice.key}, in base64, and also in RocketMQ's {@code KEYS} if it can be read as one word.
 * <li>{@code connect.timestamp} holds the timestamp and {@code connect-ext-<name>} the extensions, as Apache RocketMQ Connect writes them.
 *     Names and values that RocketMQ would change are percent-encoded, and their encoded names listed in {@code sluice.encoded}.
 * <li>The extensions {@code TAGS} and {@code KEYS} are set as RocketMQ's own properties as well, as Apache RocketMQ Connect does; the tags
 *     of a message are read as its extension {@code MQ-SYS-TAGS}, which is its name for them.
 * <li>{@code sluice.topic} holds the topic's name, percent-encoded, if RocketMQ's topic had to be called otherwise.
 * </ul>
 *
 * A message without these properties is read as well: its {@code KEYS} is the key, its user properties are the extensions.
 *
 * @param topics how topics are named
 * @param maxBodyBytes the largest body that is sent
 * @see <a href="https://github.com/apache/rocketmq-connect">Apache RocketMQ Connect, WorkerSourceTask and WorkerSinkTask</a>
 */
public record WireFormat(TopicNames topics, int maxBodyBytes) {

    /** Dots become underscores; bodies of at most 4 MiB, RocketMQ's own default. */
    public static final WireFormat DEFAULT = new WireFormat(new TopicNames('_'), 4 << 20);

    static final String KEY = "sluice.key";
    static final String VALUE = "sluice.value";
    static final String TOPIC = "sluice.topic";
    static final String ENCODED = "sluice.encoded";
    static final String TIMESTAMP = "connect.timestamp";
    static final String EXTENSION = "connect-ext-";
    /** Extensions that RocketMQ itself understands. */
    private static final Set<String> TAGS_AND_KEYS = Set.of(MessageConst.PROPERTY_TAGS, MessageConst.PROPERTY_KEYS);
    private static final String SYSTEM_TAGS = "MQ-SYS-" + MessageConst.PROPERTY_TAGS;
    private static final Set<String> OWN = Set.of(KEY, VALUE, TOPIC, ENCODED, TIMESTAMP);
    private static final String NULL = "null";
    private static final String EMPTY = "empty";
    private static final byte[] NO_BODY = {0};
    /** RocketMQ holds the length of all properties in a signed 16-bit number. */
    private static final int MAX_PROPERTY_BYTES = Short.MAX_VALUE;
    /** Room for what the client and the broker add themselves. */
    private static final int RESERVED_PROPERTY_BYTES = 256;

    /** The name that RocketMQ's topic has. */
    public String topic(String name) {
        return topics.map(name);
    }

    /**
     * @param topic as the source names it
     * @param extensions may be null
     * @throws RocketMqException not retriable, if the message could never be sent: body or properties are too large
     */
    public Message encode(String topic, byte[] key, byte[] value, Long timestamp, KeyValue extensions) {
        String mapped = topics.map(topic);
        Message message = new Message(mapped, value == null || value.length == 0 ? NO_BODY : value);
        if (mapped != topic) {
            put(message, TOPIC, PropertyText.encode(topic));
        }
        if (value == null) {
            put(message, VALUE, NULL);
        } else if (value.length == 0) {
            put(message, VALUE, EMPTY);
        } else if (value.length > maxBodyBytes) {
            throw new RocketMqException("the value has " + value.length + " bytes, and a message takes at most " + maxBodyBytes, false, null);
        }
        if (key != null) {
            putKey(message, key);
        }
        if (timestamp != null) {
            put(message, TIMESTAMP, Long.toString(timestamp));
        }
        if (extensions != null) {
            putExtensions(message, topic, extensions);
        }
        checkProperties(message);
        return message;
    }

    private static void put(Message message, String name, String value) {
        MessageAccessor.putProperty(message, name, value);
    }

    private static void putKey(Message message, byte[] key) {
        String text = PropertyText.printable(key);
        if (text != null) {
            message.setKeys(text);
        }
        // An empty key has an empty base64 text, which would be dropped.
        put(message, KEY, key.length == 0 ? EMPTY : Base64.getEncoder().encodeToString(key));
    }

    private static void putExtensions(Message message, String topic, KeyValue extensions) {
        StringBuilder encoded = null;
        for (String name : extensions.keySet()) {
            String value = extensions.getString(name);
            // The message says itself which topic it is in.
            if (value == null || name.equals(RecordNames.TOPIC_EXTENSION) && value.equals(topic)) {
                continue;
            }
            if (TAGS_AND_KEYS.contains(name) && !PropertyText.needsEncoding(value)) {
                put(message, name, value);
            }
            if (PropertyText.needsEncodingAsName(name) || PropertyText.needsEncoding(value)) {
                String encodedName = PropertyText.encode(name);
                put(message, EXTENSION + encodedName, PropertyText.encode(value));
                encoded = encoded == null ? new StringBuilder() : encoded.append(',');
                encoded.append(encodedName);
            } else {
                put(message, EXTENSION + name, value);
            }
        }
        if (encoded != null) {
            put(message, ENCODED, encoded.toString());
        }
    }

    private static void checkProperties(Message message) {
        Map<String, String> properties = message.getProperties();
        if (properties == null) {
            return;
        }
        long characters = 0;
        for (Map.Entry<String, String> property : properties.entrySet()) {
            characters += property.getKey().length() + property.getValue().length() + 2;
        }
        // A character has at most three bytes, so short ones need no exact count.
        if (characters * 3 + RESERVED_PROPERTY_BYTES <= MAX_PROPERTY_BYTES) {
            return;
        }
        int bytes = properties.entrySet().stream().mapToInt(property -> PropertyText.size(property.getKey(), property.getValue())).sum();
        if (bytes + RESERVED_PROPERTY_BYTES > MAX_PROPERTY_BYTES) {
            throw new RocketMqException("key and extensions take " + bytes + " bytes as properties, and a message has room for "
                + (MAX_PROPERTY_BYTES - RESERVED_PROPERTY_BYTES), false, null);
        }
    }

    /** @throws RocketMqException not retriable, if the properties are not what they say they are */
    public WireRecord decode(MessageExt message) {
        try {
            String topic = message.getProperty(TOPIC);
            String timestamp = message.getProperty(TIMESTAMP);
            return new WireRecord(topic == null ? message.getTopic() : PropertyText.decode(topic), key(message), value(message),
                timestamp == null ? null : Long.valueOf(timestamp), extensions(message));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new RocketMqException("the message's properties are malformed: " + e.getMessage(), false, e);
        }
    }

    private static byte[] key(MessageExt message) {
        String key = message.getProperty(KEY);
        if (key != null) {
            return key.equals(EMPTY) ? new byte[0] : Base64.getDecoder().decode(key);
        }
        String keys = message.getKeys();
        return keys == null || keys.isEmpty() ? null : keys.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(MessageExt message) {
        String value = message.getProperty(VALUE);
        if (value == null) {
            return message.getBody();
        }
        return value.equals(NULL) ? null : new byte[0];
    }

    private static Map<String, String> extensions(MessageExt message) {
        Map<String, String> properties = message.getProperties();
        String list = properties.get(ENCODED);
        Set<String> encoded = list == null ? Set.of() : Set.of(list.split(","));
        Map<String, String> extensions = null;
        for (Map.Entry<String, String> property : properties.entrySet()) {
            String name = property.getKey();
            String value = property.getValue();
            boolean extension = name.startsWith(EXTENSION);
            if (extension) {
                name = name.substring(EXTENSION.length());
                if (encoded.contains(name)) {
                    name = PropertyText.decode(name);
                    value = PropertyText.decode(value);
                }
            } else if (name.equals(MessageConst.PROPERTY_TAGS)) {
                name = SYSTEM_TAGS;
            } else if (OWN.contains(name) || MessageConst.STRING_HASH_SET.contains(name)) {
                continue;
            }
            if (extensions == null) {
                extensions = new LinkedHashMap<>();
            }
            if (extension) {
                extensions.put(name, value);
            } else {
                extensions.putIfAbsent(name, value);
            }
        }
        return extensions == null ? Map.of() : extensions;
    }
}
