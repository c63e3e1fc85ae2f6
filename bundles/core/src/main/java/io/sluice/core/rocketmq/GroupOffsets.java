package io.sluice.core.rocketmq;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;
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
    private static final int PROOFS = 3;

    /** Where a broker keeps the offsets of a group in one table. */
    private record Place(String group, String topic, String broker) {

        static Place of(String group, MessageQueue queue) {
            return new Place(group, queue.getTopic(), queue.getBrokerName());
        }
    }

    private final Connection connection;
    private final Topics topics;
    private final ConsumerGroups groups;
    private final Set<Place> proven = ConcurrentHashMap.newKeySet();

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
        Map<MessageQueue, Long> first = new LinkedHashMap<>();
        Set<Place> firstPlaces = new HashSet<>();
        Map<MessageQueue, Long> unproven = new LinkedHashMap<>();
        Map<MessageQueue, Long> others = new LinkedHashMap<>();
        offsets.forEach((queue, offset) -> {
            Place place = Place.of(group, queue);
            if (!proven.contains(place)) {
                unproven.put(queue, offset);
                if (firstPlaces.add(place)) {
                    first.put(queue, offset);
                    return;
                }
            }
            others.put(queue, offset);
        });
        try {
            update(group, first);
            update(group, others);
            prove(group, unproven);
            proven.addAll(firstPlaces);
        } catch (RocketMqException e) {
            // Perhaps the broker was started anew, and has forgotten the group.
            proven.clear();
            throw e;
        }
    }

    void forget(String group) {
        groups.forget(group);
        proven.removeIf(place -> place.group().equals(group));
    }

    /**
     * When offsets of a group in a topic are committed for the first time and several requests arrive at the same moment, RocketMQ 5.5.0
     * confirms them all and keeps only some (its ConsumerOffsetManager makes a new table for each of them). So the first ones are read back.
     */
    private void prove(String group, Map<MessageQueue, Long> offsets) {
        Map<MessageQueue, Long> missing = new LinkedHashMap<>(offsets);
        for (int attempt = 0; !missing.isEmpty(); attempt++) {
            Map<MessageQueue, Long> kept = committed(group, List.copyOf(missing.keySet()));
            missing.entrySet().removeIf(offset -> offset.getValue().equals(kept.get(offset.getKey())));
            if (!missing.isEmpty() && attempt == PROOFS) {
                throw new RocketMqException("the offsets of group '" + group + "' in " + missing.keySet() + " were confirmed but not kept", true, null);
            }
            missing.forEach((queue, offset) -> update(group, Map.of(queue, offset)));
        }
    }

    private void update(String group, Map<MessageQueue, Long> offsets) {
        Map<MessageQueue, Long> groupless = new LinkedHashMap<>();
        String what = "commit the offset of group '" + group + "' in";
        ask(what, requests(group, offsets), (queue, response) -> {
            if (response.getCode() == ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST) {
                groupless.put(queue, offsets.get(queue));
                return true;
            }
            return response.getCode() == ResponseCode.SUCCESS;
        });
        if (!groupless.isEmpty()) {
            // A group that never read here, whose offsets are set beforehand.
            groups.create(group, groupless.keySet().stream().map(this::address).distinct().toList());
            ask(what, requests(group, groupless), (queue, response) -> response.getCode() == ResponseCode.SUCCESS);
        }
    }

    private static Map<MessageQueue, RemotingCommand> requests(String group, Map<MessageQueue, Long> offsets) {
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
        return requests;
    }

    private void ask(String what, Map<MessageQueue, RemotingCommand> requests, BiPredicate<MessageQueue, RemotingCommand> answer) {
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
                if (!answer.test(queue, response)) {
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
