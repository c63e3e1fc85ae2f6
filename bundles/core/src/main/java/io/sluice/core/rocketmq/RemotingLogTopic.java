package io.sluice.core.rocketmq;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.header.SendMessageRequestHeaderV2;

/** {@link LogTopic} over the worker's connection. It is read and written at the queue's master alone. */
final class RemotingLogTopic implements LogTopic {

    /** Reads and writes for itself; nothing is kept at the broker under this name. */
    private static final String GROUP = "sluice-store";
    /** How long an answer may take beyond the time for which the broker was asked to wait. */
    private static final long ANSWER_MS = 3_000;
    /** The client sees to it that requests end in time, once a second. */
    private static final long GRACE_MS = 3_000;
    /** How much longer than it was asked to a broker may wait for a message: so seldom it looks at its clock. */
    private static final long BROKER_TICK_MS = 5_000;
    private static final int DEFAULT_MAX_MESSAGE_BYTES = 4 << 20;
    private static final int DEFAULT_RETENTION_HOURS = 72;

    private final String topic;
    private final Connection connection;
    private final Topics topics;
    private final ConsumerGroups groups;
    private volatile MessageQueue queue;

    RemotingLogTopic(String topic, Connection connection, Topics topics, ConsumerGroups groups) {
        this.topic = topic;
        this.connection = connection;
        this.topics = topics;
        this.groups = groups;
    }

    @Override
    public String name() {
        return topic;
    }

    @Override
    public boolean ensure() {
        queue = null;
        try {
            only();
            return false;
        } catch (MissingTopicException e) {
            topics.forget(topic);
        }
        try {
            topics.ensure(topic, 1);
        } catch (RocketMqException e) {
            throw new RocketMqException(e.getMessage() + "; if it may not be created from here, create it with one queue: mqadmin updateTopic -n '"
                + connection.namesrvAddr() + "' -b <broker address> -t " + topic + " -r 1 -w 1 -a +message.type=NORMAL", e.isRetriable(), e);
        }
        only();
        return true;
    }

    private MessageQueue only() {
        MessageQueue known = queue;
        if (known != null) {
            return known;
        }
        List<MessageQueue> found;
        try {
            found = topics.route(topic).readable();
        } catch (RocketMqException e) {
            throw of("look up topic '" + topic + "'", e);
        }
        if (found.size() != 1) {
            throw new RocketMqException("topic '" + topic + "' has " + found.size() + " queues, but what is in a store has one order, which needs"
                + " exactly one queue; use another topic, or delete this one if nothing in it is needed", false, null);
        }
        queue = found.get(0);
        return queue;
    }

    private String address(MessageQueue of) {
        return connection.master(of).orElseThrow(() -> {
            queue = null;
            return new RocketMqException("broker '" + of.getBrokerName() + "' of topic '" + topic + "' has no address at " + connection.namesrvAddr(),
                true, null);
        });
    }

    @Override
    public RocketMq.Range range() {
        MessageQueue asked = only();
        String address = address(asked);
        try {
            return Connection.call("look up the offsets of topic '" + topic + "' at " + address, () -> new RocketMq.Range(
                connection.api().getMinOffset(address, asked, Connection.CALL_MS), connection.api().getMaxOffset(address, asked, Connection.CALL_MS)));
        } catch (RocketMqException e) {
            throw of("", e);
        }
    }

    @Override
    public void send(byte[] body, Duration timeout) {
        MessageQueue to = only();
        SendMessageRequestHeaderV2 header = new SendMessageRequestHeaderV2();
        header.setA(GROUP);
        header.setB(topic);
        header.setC(TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC);
        header.setD(1);
        header.setE(to.getQueueId());
        header.setF(0);
        header.setG(System.currentTimeMillis());
        header.setH(0);
        header.setI("");
        header.setJ(0);
        header.setK(false);
        header.setM(false);
        header.setBrokerName(to.getBrokerName());
        RemotingCommand request = RemotingCommand.createRequestCommand(RequestCode.SEND_MESSAGE_V2, header);
        request.setBody(body);
        String what = "write to topic '" + topic + "'";
        try {
            RemotingCommand response = ask(what, to, request, Math.min(Connection.CALL_MS, Math.max(1, timeout.toMillis())));
            switch (response.getCode()) {
                // The message is on the master; what it says beyond that is about its own ways of being careful.
                case ResponseCode.SUCCESS, ResponseCode.FLUSH_DISK_TIMEOUT, ResponseCode.FLUSH_SLAVE_TIMEOUT, ResponseCode.SLAVE_NOT_AVAILABLE -> { }
                default -> throw refused(what, response);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RocketMqException("cannot " + what + ": interrupted", true, e);
        }
    }

    @Override
    public Read read(long from, Duration wait) throws InterruptedException {
        MessageQueue of = only();
        String what = "read topic '" + topic + "'";
        RemotingCommand response = ask(what, of, Pull.request(GROUP, of, from, wait.toMillis()),
            wait.isZero() ? ANSWER_MS : wait.toMillis() + BROKER_TICK_MS + ANSWER_MS);
        if (response.getCode() == ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST) {
            groups.create(GROUP, List.of(address(of)));
        }
        Pull pull = Pull.of(response, from);
        return switch (pull.outcome()) {
            case FOUND -> new Read(decode(of, pull, from), pull.least(), Math.max(pull.end(), pull.next()));
            case NOTHING, MOVED -> new Read(List.of(), pull.least(), pull.end());
            case FAILED -> throw refused(what, response);
        };
    }

    private List<Message> decode(MessageQueue of, Pull pull, long from) {
        MessageReader reader = new MessageReader(topic, of.getBrokerName());
        ByteBuffer bytes = ByteBuffer.wrap(pull.messages());
        List<MessageExt> decoded = new ArrayList<>();
        for (int left = MessageReader.count(bytes); left > 0; left--) {
            reader.read(bytes, pull.offsetDelta(), decoded);
        }
        return decoded.stream().filter(message -> message.getQueueOffset() >= from)
            .map(message -> new Message(message.getQueueOffset(), message.getStoreTimestamp(), message.getBody())).toList();
    }

    @Override
    public Limits limits() {
        String address = address(only());
        Properties config = Connection.call("read the configuration of the broker at " + address,
            () -> connection.api().getBrokerConfig(address, Connection.CALL_MS));
        return new Limits(number(config, "maxMessageSize", DEFAULT_MAX_MESSAGE_BYTES),
            Duration.ofHours(number(config, "fileReservedTime", DEFAULT_RETENTION_HOURS)));
    }

    private static int number(Properties config, String name, int otherwise) {
        String value = config.getProperty(name);
        return value != null && value.matches("\\d{1,9}") ? Integer.parseInt(value) : otherwise;
    }

    private RemotingCommand ask(String what, MessageQueue of, RemotingCommand request, long timeoutMs) throws InterruptedException {
        String address = address(of);
        CompletableFuture<RemotingCommand> answer = new CompletableFuture<>();
        connection.invoke(address, request, timeoutMs, new Connection.Reply() {
            @Override
            public void response(RemotingCommand response) {
                answer.complete(response);
            }

            @Override
            public void failure(Throwable why) {
                answer.completeExceptionally(why);
            }
        });
        try {
            return answer.get(timeoutMs + GRACE_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw of(what + " at " + address, e.getCause());
        } catch (TimeoutException e) {
            throw of(what + " at " + address, e);
        }
    }

    private RocketMqException refused(String what, RemotingCommand response) {
        return of(what, new MQBrokerException(response.getCode(), response.getRemark()));
    }

    /** Next time the name server is asked where the queue is. */
    private RocketMqException of(String what, Throwable failure) {
        queue = null;
        RocketMqException known = Failures.of(what, failure);
        Throwable cause = failure instanceof RocketMqException ? failure.getCause() : failure;
        return Failures.isMissingTopic(cause) ? new MissingTopicException(known.getMessage(), cause) : known;
    }
}
