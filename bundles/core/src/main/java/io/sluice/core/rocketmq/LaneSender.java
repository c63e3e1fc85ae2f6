package io.sluice.core.rocketmq;

import io.sluice.core.rocketmq.Lane.Parcel;
import io.sluice.core.rocketmq.RocketMq.SenderSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link RecordSender} with one {@link Lane} for each queue. One lock guards all of it; nothing is sent or told under the lock. */
final class LaneSender implements RecordSender {

    private static final Logger LOG = LoggerFactory.getLogger(LaneSender.class);
    private static final long SEND_TIMEOUT_MS = 10_000;
    private static final long FIRST_RETRY_MS = 50;
    private static final long LONGEST_RETRY_MS = 5_000;
    private static final long ROUTE_AGE_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** What a message takes beside its body, about. */
    private static final int OVERHEAD_BYTES = 96;

    /** The lanes of one topic; none as long as its queues are not known, and then messages wait here. */
    private static final class Topic {
        private final String name;
        private final Queue<Map.Entry<Parcel, Integer>> unrouted = new ArrayDeque<>();
        private Lane[] lanes;
        private long routedNanos;
        private boolean routing;
        private String trouble;
        private int failures;

        private Topic(String name) {
            this.name = name;
        }

        private boolean isIdle() {
            for (Lane lane : lanes) {
                if (!lane.isIdle()) {
                    return false;
                }
            }
            return true;
        }
    }

    private final String owner;
    private final SenderSettings settings;
    private final RemotingRocketMq rocketMq;
    private final DefaultMQProducer producer;
    private final ScheduledExecutorService timer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition drained = lock.newCondition();
    private final Map<String, Topic> topics = new HashMap<>();
    private Topic lastTopic;
    private long bytesInFlight;
    private long recordsInFlight;
    private boolean closed;

    LaneSender(String owner, SenderSettings settings, RemotingRocketMq rocketMq, DefaultMQProducer producer, ScheduledExecutorService timer) {
        this.owner = owner;
        this.settings = settings;
        this.rocketMq = rocketMq;
        this.producer = producer;
        this.timer = timer;
    }

    @Override
    public void send(Message message, int hash, Listener listener) {
        Parcel parcel = new Parcel(message, Objects.requireNonNull(listener, "listener"), message.getBody().length + OVERHEAD_BYTES);
        Lane ready = null;
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException(owner + ": the sender is closed");
            }
            bytesInFlight += parcel.bytes();
            recordsInFlight++;
            Topic topic = topic(message.getTopic());
            if (topic.lanes == null) {
                topic.unrouted.add(Map.entry(parcel, hash));
                route(topic);
                return;
            }
            if (System.nanoTime() - topic.routedNanos > ROUTE_AGE_NANOS && topic.isIdle()) {
                // Only now could the number of queues change without mixing up the order of a key.
                route(topic);
            }
            Lane lane = topic.lanes[Math.floorMod(hash, topic.lanes.length)];
            lane.add(parcel);
            ready = start(lane) ? lane : null;
        } finally {
            lock.unlock();
        }
        if (ready != null) {
            dispatch(ready);
        }
    }

    private Topic topic(String name) {
        if (lastTopic == null || !lastTopic.name.equals(name)) {
            lastTopic = topics.computeIfAbsent(name, Topic::new);
        }
        return lastTopic;
    }

    /** Takes the next batch of a lane that has nothing under way. Under the lock. @return true if it is to be dispatched */
    private boolean start(Lane lane) {
        if (lane.isBusy() || !lane.hasWaiting() || closed) {
            return false;
        }
        if (!settings.linger().isZero() && lane.beginLinger()) {
            schedule(() -> lingered(lane), settings.linger().toMillis());
            return false;
        }
        if (!settings.linger().isZero()) {
            return false;
        }
        lane.takeBatch(settings.maxBatchBytes(), settings.maxBatchRecords());
        return true;
    }

    private void lingered(Lane lane) {
        lock.lock();
        try {
            if (lane.isBusy() || !lane.hasWaiting() || closed) {
                return;
            }
            lane.takeBatch(settings.maxBatchBytes(), settings.maxBatchRecords());
        } finally {
            lock.unlock();
        }
        dispatch(lane);
    }

    /** Sends what is under way in a lane. */
    private void dispatch(Lane lane) {
        List<Parcel> batch = lane.underWay();
        SendCallback callback = new SendCallback() {
            @Override
            public void onSuccess(SendResult result) {
                succeeded(lane, result);
            }

            @Override
            public void onException(Throwable e) {
                failed(lane, e);
            }
        };
        try {
            if (batch.size() == 1) {
                producer.send(batch.get(0).message(), lane.queue(), callback, SEND_TIMEOUT_MS);
            } else {
                List<Message> messages = new ArrayList<>(batch.size());
                for (Parcel parcel : batch) {
                    messages.add(parcel.message());
                }
                producer.send(messages, lane.queue(), callback, SEND_TIMEOUT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed(lane, e);
        } catch (Exception e) {
            failed(lane, e);
        }
    }

    private void succeeded(Lane lane, SendResult result) {
        List<Parcel> finished;
        boolean more;
        lock.lock();
        try {
            finished = lane.finish();
            more = start(lane);
        } finally {
            lock.unlock();
        }
        if (more) {
            dispatch(lane);
        }
        long offset = result.getQueueOffset();
        for (Parcel parcel : finished) {
            long own = offset++;
            tell(() -> parcel.listener().acknowledged(lane.queue(), own));
        }
        settle(finished);
    }

    private void failed(Lane lane, Throwable error) {
        RocketMqException failure = Failures.of("send to " + lane.queue().getTopic() + ", broker " + lane.queue().getBrokerName()
            + ", queue " + lane.queue().getQueueId(), error);
        if (!failure.isRetriable()) {
            refuse(lane, failure);
            return;
        }
        int times;
        lock.lock();
        try {
            times = lane.failed(failure.getMessage());
            if (closed) {
                return;
            }
        } finally {
            lock.unlock();
        }
        if (times == 1) {
            LOG.warn("{}: {}; sending again until it succeeds", owner, failure.getMessage());
        }
        if (Failures.isMissingTopic(error)) {
            rocketMq.forgetTopic(lane.queue().getTopic());
        }
        schedule(() -> again(lane), pause(times));
    }

    /** Sends the same batch once more, after making sure that the topic is still there. */
    private void again(Lane lane) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
        } finally {
            lock.unlock();
        }
        try {
            rocketMq.ensureTopic(lane.queue().getTopic(), settings.queuesForNewTopics());
        } catch (RocketMqException e) {
            failed(lane, e);
            return;
        }
        dispatch(lane);
    }

    private void refuse(Lane lane, RocketMqException reason) {
        List<Parcel> refused = List.of();
        boolean more;
        lock.lock();
        try {
            if (lane.underWay().size() > 1) {
                lane.splitUp();
            } else {
                refused = lane.finish();
            }
            more = start(lane);
        } finally {
            lock.unlock();
        }
        if (more) {
            dispatch(lane);
        }
        refused.forEach(parcel -> tell(() -> parcel.listener().refused(reason)));
        settle(refused);
    }

    private void tell(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            LOG.error("{}: a listener threw", owner, e);
        }
    }

    /** Parcels are no longer in flight; told first, so that who waits for the end finds everything told. */
    private void settle(List<Parcel> parcels) {
        lock.lock();
        try {
            for (Parcel parcel : parcels) {
                bytesInFlight -= parcel.bytes();
            }
            recordsInFlight -= parcels.size();
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Finds the queues of a topic in the background. Under the lock. */
    private void route(Topic topic) {
        if (!topic.routing) {
            topic.routing = true;
            schedule(() -> routeNow(topic), 0);
        }
    }

    private void routeNow(Topic topic) {
        List<MessageQueue> queues;
        try {
            rocketMq.ensureTopic(topic.name, settings.queuesForNewTopics());
            queues = rocketMq.queues(topic.name);
            if (queues.isEmpty()) {
                throw new RocketMqException("topic '" + topic.name + "' has no queue that can be written", true, null);
            }
        } catch (RocketMqException e) {
            routeFailed(topic, e);
            return;
        }
        List<Lane> ready = new ArrayList<>();
        lock.lock();
        try {
            topic.routing = false;
            topic.trouble = null;
            topic.failures = 0;
            if (closed) {
                return;
            }
            topic.routedNanos = System.nanoTime();
            if (topic.lanes == null || topic.isIdle() && topic.lanes.length != queues.size()) {
                topic.lanes = queues.stream().map(Lane::new).toArray(Lane[]::new);
            }
            Map.Entry<Parcel, Integer> next;
            while ((next = topic.unrouted.poll()) != null) {
                topic.lanes[Math.floorMod(next.getValue(), topic.lanes.length)].add(next.getKey());
            }
            for (Lane lane : topic.lanes) {
                if (start(lane)) {
                    ready.add(lane);
                }
            }
        } finally {
            lock.unlock();
        }
        ready.forEach(this::dispatch);
    }

    private void routeFailed(Topic topic, RocketMqException failure) {
        List<Parcel> refused = new ArrayList<>();
        lock.lock();
        try {
            if (topic.lanes != null) {
                // A refresh that failed: what is known still holds.
                topic.routing = false;
                return;
            }
            topic.trouble = failure.getMessage();
            if (failure.isRetriable()) {
                schedule(() -> routeNow(topic), pause(++topic.failures));
                return;
            }
            topic.routing = false;
            topic.trouble = null;
            topic.unrouted.forEach(entry -> refused.add(entry.getKey()));
            topic.unrouted.clear();
        } finally {
            lock.unlock();
        }
        refused.forEach(parcel -> tell(() -> parcel.listener().refused(failure)));
        settle(refused);
    }

    private static long pause(int failures) {
        long pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS << Math.min(failures - 1, 10));
        return pause - ThreadLocalRandom.current().nextLong(pause / 5 + 1);
    }

    private void schedule(Runnable action, long delayMs) {
        try {
            timer.schedule(action, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: the connection is closed, nothing is sent any more", owner);
        }
    }

    @Override
    public boolean awaitCapacity(Duration timeout) throws InterruptedException {
        return await(timeout, false);
    }

    @Override
    public boolean flush(Duration timeout) throws InterruptedException {
        return await(timeout, true);
    }

    private boolean await(Duration timeout, boolean empty) throws InterruptedException {
        lock.lock();
        try {
            long left = timeout.toNanos();
            while (empty ? recordsInFlight > 0 : bytesInFlight >= settings.maxBytesInFlight()) {
                if (left <= 0 || closed) {
                    return false;
                }
                left = drained.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<String> trouble() {
        lock.lock();
        try {
            for (Topic topic : topics.values()) {
                if (topic.trouble != null) {
                    return Optional.of(topic.trouble);
                }
                for (Lane lane : topic.lanes == null ? new Lane[0] : topic.lanes) {
                    if (lane.trouble() != null) {
                        return Optional.of(lane.trouble());
                    }
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            topics.clear();
            lastTopic = null;
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
