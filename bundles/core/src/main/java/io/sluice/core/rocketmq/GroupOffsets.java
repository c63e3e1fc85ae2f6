package io.sluice.core.rocketmq;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;

/** The offsets of consumer groups, which the brokers keep. Asks for all queues at once and waits for the last answer. Any thread. */
final class GroupOffsets {

    private static final String OFFSET = "offset";

    private final Connection connection;
    private final Topics topics;
    private final ConsumerGroups groups;

    GroupOffsets(Connection connection, Topics topics, ConsumerGroups groups) {
        this.connection = connection;
        this.topics = topics;
        this.groups = groups;
    }

    Map<MessageQueue, Long> committed(String group, List<MessageQueue> queues) {
        Map<MessageQueue, RemotingCommand> requests = new LinkedHashMap<>();
        for (MessageQueue queue : queues) {
            QueryConsumerOffsetRequestHeader header = new QueryConsumerOffsetRequestHeader();
            header.setConsumerGroup(group);
            header.setTopic(queue.getTopic());
            header.setQueueId(queue.getQueueId());
            header.setBrokerName(queue.getBrokerName());
            // Otherwise a queue that was never read has the offset 0, which cannot be told from one that was committed.
            header.setSetZeroIfNotFound(false);
            requests.put(queue, RemotingCommand.createRequestCommand(RequestCode.QUERY_CONSUMER_OFFSET, header));
        }
        Map<MessageQueue, Long> offsets = new HashMap<>();
        ask("read the offset of group '" + group + "' in", requests, (queue, response) -> {
            if (response.getCode() == ResponseCode.SUCCESS) {
                offsets.put(queue, Long.valueOf(response.getExtFields().get(OFFSET)));
                return true;
            }
            return response.getCode() == ResponseCode.QUERY_NOT_FOUND;
        });
        return offsets;
    }

    void commit(String group, Map<MessageQueue, Long> offsets) {
        Map<MessageQueue, Long> groupless = new HashMap<>();
        update(group, offsets, (queue, response) -> {
            if (response.getCode() == ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST) {
                groupless.put(queue, offsets.get(queue));
                return true;
            }
            return response.getCode() == ResponseCode.SUCCESS;
        });
        if (!groupless.isEmpty()) {
            // A group that never read here, whose offsets are set beforehand.
            groups.create(group, groupless.keySet().stream().map(this::address).distinct().toList());
            update(group, groupless, (queue, response) -> response.getCode() == ResponseCode.SUCCESS);
        }
    }

    private void update(String group, Map<MessageQueue, Long> offsets, BiFunction<MessageQueue, RemotingCommand, Boolean> answer) {
        Map<MessageQueue, RemotingCommand> requests = new LinkedHashMap<>();
        offsets.forEach((queue, offset) -> {
            UpdateConsumerOffsetRequestHeader header = new UpdateConsumerOffsetRequestHeader();
            header.setConsumerGroup(group);
            header.setTopic(queue.getTopic());
            header.setQueueId(queue.getQueueId());
            header.setBrokerName(queue.getBrokerName());
            header.setCommitOffset(offset);
            requests.put(queue, RemotingCommand.createRequestCommand(RequestCode.UPDATE_CONSUMER_OFFSET, header));
        });
        ask("commit the offset of group '" + group + "' in", requests, answer);
    }

    private void ask(String what, Map<MessageQueue, RemotingCommand> requests, BiFunction<MessageQueue, RemotingCommand, Boolean> answer) {
        Map<MessageQueue, CompletableFuture<RemotingCommand>> answers = new LinkedHashMap<>();
        requests.forEach((queue, request) -> {
            CompletableFuture<RemotingCommand> future = new CompletableFuture<>();
            answers.put(queue, future);
            connection.invoke(address(queue), request, Connection.CALL_MS, new Connection.Reply() {
                @Override
                public void response(RemotingCommand response) {
                    future.complete(response);
                }

                @Override
                public void failure(Throwable why) {
                    future.completeExceptionally(why);
                }
            });
        });
        List<RocketMqException> failures = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * Connection.CALL_MS);
        answers.forEach((queue, future) -> {
            try {
                RemotingCommand response = future.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (!answer.apply(queue, response)) {
                    failures.add(Failures.of(what + " " + queue, new MQBrokerException(response.getCode(), response.getRemark())));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failures.add(Failures.of(what + " " + queue, e));
            } catch (ExecutionException e) {
                topics.refresh(queue.getTopic());
                failures.add(Failures.of(what + " " + queue, e.getCause()));
            } catch (TimeoutException e) {
                failures.add(Failures.of(what + " " + queue, e));
            }
        });
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    /** Where a queue can be written. */
    String address(MessageQueue queue) {
        return connection.master(queue).orElseGet(() -> {
            topics.route(queue.getTopic());
            return connection.master(queue).orElseThrow(() -> new RocketMqException("broker '" + queue.getBrokerName()
                + "' has no address at " + connection.namesrvAddr(), true, null));
        });
    }
}
