package io.sluice.core.rocketmq;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.apache.rocketmq.remoting.protocol.header.SendMessageRequestHeaderV2;

/**
 * Messages for one queue, in the bytes in which RocketMQ takes a batch, which are made once however often the batch is sent; with who
 * wants to know what becomes of them.
 *
 * @see org.apache.rocketmq.common.message.MessageDecoder#encodeMessages the format
 */
final class Batch {

    private static final int FLAG_AT = 12;
    private static final int BODY_LENGTH_AT = 16;
    static final int BODY_AT = 20;
    private static final int FIRST_BYTES = 2 << 10;

    private byte[] bytes;
    private int length;
    private int count;
    private int[] ends;
    private int[] hashes;
    private RecordSender.Listener[] listeners;

    Batch() {
        this(FIRST_BYTES, 16);
    }

    private Batch(int bytes, int records) {
        this.bytes = new byte[bytes];
        this.ends = new int[records];
        this.hashes = new int[records];
        this.listeners = new RecordSender.Listener[records];
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    int count() {
        return count;
    }

    boolean hasRoom(int more, int maxBytes, int maxRecords) {
        return count == 0 || count < maxRecords && length + more <= maxBytes;
    }

    void add(byte[] message, int from, int size, int hash, RecordSender.Listener listener) {
        if (length + size > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + size, 2 * bytes.length));
        }
        System.arraycopy(message, from, bytes, length, size);
        length += size;
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
            hashes = Arrays.copyOf(hashes, 2 * count);
            listeners = Arrays.copyOf(listeners, 2 * count);
        }
        ends[count] = length;
        hashes[count] = hash;
        listeners[count++] = listener;
    }

    RecordSender.Listener listener(int index) {
        return listeners[index];
    }

    int hash(int index) {
        return hashes[index];
    }

    /** Where a message begins in {@link #bytes}. */
    int begin(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    int size(int index) {
        return ends[index] - begin(index);
    }

    /** Some messages of the batch, as a batch. */
    Batch part(int from, int to) {
        Batch part = new Batch(ends[to - 1] - begin(from), to - from);
        for (int i = from; i < to; i++) {
            part.add(bytes, begin(i), size(i), hashes[i], listeners[i]);
        }
        return part;
    }

    /** The request to store the messages in a queue. */
    RemotingCommand request(MessageQueue queue, String producerGroup) {
        SendMessageRequestHeaderV2 header = new SendMessageRequestHeaderV2();
        header.setA(producerGroup);
        header.setB(queue.getTopic());
        header.setC(TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC);
        header.setD(4);
        header.setE(queue.getQueueId());
        header.setF(0);
        header.setG(System.currentTimeMillis());
        header.setJ(0);
        header.setK(false);
        header.setBrokerName(queue.getBrokerName());
        if (count > 1) {
            header.setH(0);
            header.setI("");
            header.setM(true);
            RemotingCommand request = RemotingCommand.createRequestCommand(RequestCode.SEND_BATCH_MESSAGE, header);
            request.setBody(Arrays.copyOf(bytes, length));
            return request;
        }
        // A lone message is not sent as a batch of one: a batch must be smaller than the largest message that is allowed.
        int bodyLength = number(BODY_LENGTH_AT);
        int propertiesAt = BODY_AT + bodyLength + 2;
        header.setH(number(FLAG_AT));
        header.setI(new String(bytes, propertiesAt, length - propertiesAt, StandardCharsets.UTF_8));
        header.setM(false);
        RemotingCommand request = RemotingCommand.createRequestCommand(RequestCode.SEND_MESSAGE_V2, header);
        request.setBody(Arrays.copyOfRange(bytes, BODY_AT, BODY_AT + bodyLength));
        return request;
    }

    private int number(int at) {
        return bytes[at] << 24 | (bytes[at + 1] & 0xff) << 16 | (bytes[at + 2] & 0xff) << 8 | bytes[at + 3] & 0xff;
    }
}
