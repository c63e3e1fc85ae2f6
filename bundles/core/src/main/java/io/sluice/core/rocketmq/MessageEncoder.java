package io.sluice.core.rocketmq;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageDecoder;

/**
 * Writes one message after the other into the same bytes, as it stands in a batch. For one thread.
 *
 * @see MessageDecoder#encodeMessage the format
 */
final class MessageEncoder {

    private static final int MAX_PROPERTY_BYTES = Short.MAX_VALUE;
    private static final int KEPT_BYTES = 1 << 20;
    private static final String YES = "true";

    private byte[] bytes = new byte[4 << 10];
    private int length;

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** @throws RocketMqException not retriable, if RocketMQ takes no such message */
    void encode(Message message, int maxBodyBytes) {
        byte[] body = message.getBody();
        if (body == null || body.length == 0) {
            throw new RocketMqException("RocketMQ takes no message without a body", false, null);
        }
        if (body.length > maxBodyBytes) {
            throw new RocketMqException("the message has a body of " + body.length + " bytes, and at most " + maxBodyBytes + " are allowed", false, null);
        }
        if (bytes.length > KEPT_BYTES && body.length < KEPT_BYTES / 2) {
            bytes = new byte[KEPT_BYTES];
        }
        length = 0;
        room(Batch.BODY_AT + body.length + 2);
        Arrays.fill(bytes, 0, 12, (byte) 0);
        number(12, message.getFlag());
        number(16, body.length);
        System.arraycopy(body, 0, bytes, Batch.BODY_AT, body.length);
        length = Batch.BODY_AT + body.length + 2;
        int propertiesAt = length;
        properties(message.getProperties());
        int size = length - propertiesAt;
        if (size > MAX_PROPERTY_BYTES) {
            throw new RocketMqException("the message has properties of " + size + " bytes, and at most " + MAX_PROPERTY_BYTES + " are allowed", false, null);
        }
        bytes[propertiesAt - 2] = (byte) (size >>> 8);
        bytes[propertiesAt - 1] = (byte) size;
        number(0, length);
    }

    private void properties(Map<String, String> properties) {
        boolean named = false;
        if (properties != null) {
            for (Map.Entry<String, String> property : properties.entrySet()) {
                String name = property.getKey();
                String value = property.getValue();
                // To wait until a message is stored is what a broker does anyway.
                if (value == null || YES.equals(value) && MessageConst.PROPERTY_WAIT_STORE_MSG_OK.equals(name)) {
                    continue;
                }
                named |= MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX.equals(name);
                property(name, value);
            }
        }
        if (!named) {
            // By this id RocketMQ's tools find a message, and copies of it that a repeated sending has made.
            property(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, MessageClientIDSetter.createUniqID());
        }
    }

    private void property(String name, String value) {
        text(name);
        room(1);
        bytes[length++] = (byte) MessageDecoder.NAME_VALUE_SEPARATOR;
        text(value);
        room(1);
        bytes[length++] = (byte) MessageDecoder.PROPERTY_SEPARATOR;
    }

    private void text(String text) {
        int characters = text.length();
        room(characters);
        int at = length;
        for (int i = 0; i < characters; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
                room(encoded.length);
                System.arraycopy(encoded, 0, bytes, length, encoded.length);
                length += encoded.length;
                return;
            }
            bytes[at++] = (byte) c;
        }
        length = at;
    }

    private void number(int at, int value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
    }
}
