package io.sluice.core.rocketmq;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.sysflag.MessageSysFlag;

/**
 * Reads messages out of the bytes that a pull has brought. RocketMQ's own decoder does the same with a table of 256 places for the
 * properties of each message and an id that is seldom asked for; it is used for what is not plain.
 *
 * @see MessageDecoder#clientDecode the format
 */
final class MessageReader {

    private static final int NOT_PLAIN = MessageSysFlag.COMPRESSED_FLAG | MessageSysFlag.BORNHOST_V6_FLAG | MessageSysFlag.STOREHOSTADDRESS_V6_FLAG
        | MessageSysFlag.INNER_BATCH_FLAG | MessageSysFlag.NEED_UNWRAP_FLAG;
    private static final int MAGIC_AT = 4;
    private static final int SYS_FLAG_AT = 36;
    private static final int BODY_AT = 84;

    /** A message whose id by place is made when somebody asks for it. */
    private static final class PlainMessage extends MessageExt {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMsgId() {
            String id = MessageClientIDSetter.getUniqID(this);
            return id != null ? id : MessageDecoder.createMessageId(ByteBuffer.allocate(16), getStoreHostBytes(), getCommitLogOffset());
        }
    }

    private final String topic;
    private final byte[] topicBytes;
    private final String brokerName;
    private InetSocketAddress lastHost = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private int lastAddress;
    private int lastPort = -1;

    MessageReader(String topic, String brokerName) {
        this.topic = topic;
        this.topicBytes = topic.getBytes(StandardCharsets.UTF_8);
        this.brokerName = brokerName;
    }

    /** How many messages the bytes hold; messages are stored one behind the other, each led by its length. */
    static int count(ByteBuffer bytes) {
        int count = 0;
        for (int at = bytes.position(); at + MAGIC_AT <= bytes.limit(); count++) {
            int size = bytes.getInt(at);
            if (size <= BODY_AT || at + size > bytes.limit()) {
                throw new IllegalArgumentException("a message of " + size + " bytes at " + at + " of " + bytes.limit());
            }
            at += size;
        }
        return count;
    }

    /**
     * Reads the message at the buffer's position, and moves the position behind it.
     *
     * @param offsetDelta to be added to the message's offset
     * @param messages takes it, or what it contains if RocketMQ has packed several into one
     */
    void read(ByteBuffer bytes, long offsetDelta, List<MessageExt> messages) {
        int begin = bytes.position();
        int size = bytes.getInt(begin);
        int magic = bytes.getInt(begin + MAGIC_AT);
        boolean plain = (bytes.getInt(begin + SYS_FLAG_AT) & NOT_PLAIN) == 0
            && (magic == MessageDecoder.MESSAGE_MAGIC_CODE || magic == MessageDecoder.MESSAGE_MAGIC_CODE_V2);
        MessageExt message = plain ? plain(bytes, begin, size, magic) : other(bytes, begin, size);
        bytes.position(begin + size);
        message.setBrokerName(brokerName);
        message.setQueueOffset(message.getQueueOffset() + offsetDelta);
        int flags = message.getSysFlag();
        if (MessageSysFlag.check(flags, MessageSysFlag.INNER_BATCH_FLAG) && MessageSysFlag.check(flags, MessageSysFlag.NEED_UNWRAP_FLAG)) {
            try {
                int first = messages.size();
                MessageDecoder.decodeMessage(message, messages);
                messages.subList(first, messages.size()).forEach(inner -> inner.setBrokerName(brokerName));
            } catch (Exception e) {
                throw unreadable(message.getQueueOffset(), e);
            }
        } else {
            messages.add(message);
        }
    }

    private RocketMqException unreadable(long offset, Exception cause) {
        return new RocketMqException("the message at offset " + offset + " of topic '" + topic + "', broker '" + brokerName + "' cannot be read", false,
            cause);
    }

    private MessageExt other(ByteBuffer bytes, int begin, int size) {
        MessageExt message = MessageDecoder.clientDecode(bytes.slice(begin, size), true);
        if (message == null) {
            throw unreadable(bytes.getLong(begin + 20), null);
        }
        return message;
    }

    private MessageExt plain(ByteBuffer bytes, int begin, int size, int magic) {
        PlainMessage message = new PlainMessage();
        message.setStoreSize(size);
        message.setBodyCRC(bytes.getInt(begin + 8));
        message.setQueueId(bytes.getInt(begin + 12));
        message.setFlag(bytes.getInt(begin + 16));
        message.setQueueOffset(bytes.getLong(begin + 20));
        message.setCommitLogOffset(bytes.getLong(begin + 28));
        message.setSysFlag(bytes.getInt(begin + SYS_FLAG_AT));
        message.setBornTimestamp(bytes.getLong(begin + 40));
        message.setBornHost(host(bytes.getInt(begin + 48), bytes.getInt(begin + 52)));
        message.setStoreTimestamp(bytes.getLong(begin + 56));
        message.setStoreHost(host(bytes.getInt(begin + 64), bytes.getInt(begin + 68)));
        message.setReconsumeTimes(bytes.getInt(begin + 72));
        message.setPreparedTransactionOffset(bytes.getLong(begin + 76));
        int bodyLength = bytes.getInt(begin + BODY_AT);
        int at = begin + BODY_AT + 4;
        byte[] body = new byte[bodyLength];
        bytes.get(at, body);
        message.setBody(body);
        at += bodyLength;
        int topicLength;
        if (magic == MessageDecoder.MESSAGE_MAGIC_CODE) {
            topicLength = bytes.get(at++);
        } else {
            topicLength = bytes.getShort(at);
            at += 2;
        }
        message.setTopic(topic(bytes, at, topicLength));
        at += topicLength;
        int length = bytes.getShort(at);
        MessageAccessor.setProperties(message, properties(bytes, at + 2, length));
        return message;
    }

    private InetSocketAddress host(int address, int port) {
        if (address != lastAddress || port != lastPort) {
            try {
                lastHost = new InetSocketAddress(InetAddress.getByAddress(
                    new byte[] {(byte) (address >>> 24), (byte) (address >>> 16), (byte) (address >>> 8), (byte) address}), port);
                lastAddress = address;
                lastPort = port;
            } catch (UnknownHostException e) {
                throw new IllegalStateException("four bytes are always an address", e);
            }
        }
        return lastHost;
    }

    private String topic(ByteBuffer bytes, int at, int length) {
        if (length == topicBytes.length) {
            int i = 0;
            while (i < length && bytes.get(at + i) == topicBytes[i]) {
                i++;
            }
            if (i == length) {
                return topic;
            }
        }
        return text(bytes, at, at + length);
    }

    private static Map<String, String> properties(ByteBuffer bytes, int from, int length) {
        Map<String, String> properties = new HashMap<>();
        int end = from + length;
        int begin = from;
        int separator = -1;
        for (int at = from; at <= end; at++) {
            byte b = at == end ? (byte) MessageDecoder.PROPERTY_SEPARATOR : bytes.get(at);
            if (b == MessageDecoder.NAME_VALUE_SEPARATOR && separator < 0) {
                separator = at;
            } else if (b == MessageDecoder.PROPERTY_SEPARATOR) {
                if (separator > begin && separator < at - 1) {
                    properties.put(text(bytes, begin, separator), text(bytes, separator + 1, at));
                }
                begin = at + 1;
                separator = -1;
            }
        }
        return properties;
    }

    private static String text(ByteBuffer bytes, int from, int to) {
        if (bytes.hasArray()) {
            return new String(bytes.array(), bytes.arrayOffset() + from, to - from, StandardCharsets.UTF_8);
        }
        byte[] copy = new byte[to - from];
        bytes.get(from, copy);
        return new String(copy, StandardCharsets.UTF_8);
    }
}
