package io.sluice.core.rocketmq;

import io.sluice.core.rocketmq.Failures.Verdict;
import io.sluice.core.rocketmq.RocketMq.SenderSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link RecordSender} with one {@link Lane} for each queue. One lock guards all of it; nothing is sent or told under the lock.
 *
 * <p>An attempt without an answer is repeated, so a batch that was stored although its acknowledgement got lost is there twice, with the
 * same unique ids. The next batch of its queue goes only after an acknowledgement, so the order holds.
 */
final class LaneSender implements RecordSender {

    private static final Logger LOG = LoggerFactory.getLogger(LaneSender.class);
    private static final String GROUP = "sluice";
    private static final int MAX_BODY_BYTES = WireFormat.DEFAULT.maxBodyBytes();
    private static final long SEND_TIMEOUT_MS = 10_000;
    private static final long FIRST_RETRY_MS = 50;
    private static final long LONGEST_RETRY_MS = 5_000;
    private static final long LOOK_AGAIN_MS = 2_000;
    private static final long ROUTE_AGE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final String owner;
    private final SenderSettings settings;
    private final Connection connection;
    private final Topics directory;
    private final Duration lostQueuePatience;
    private final MessageEncoder encoder = new MessageEncoder();
    private final ReentrantLock lock = new ReentrantLock();
    private final InFlight inFlight;
    private final Map<String, TopicLanes> topics = new HashMap<>();
    private TopicLanes lastTopic;
    private final AtomicBoolean warnedAboutCopies = new AtomicBoolean();
    private boolean flushing;
    private boolean troubled;
    private boolean closed;

    LaneSender(String owner, SenderSettings settings, Connection connection, Topics directory, Duration lostQueuePatience) {
        this.owner = owner;
        this.settings = settings;
        this.connection = connection;
        this.directory = directory;
        this.lostQueuePatience = lostQueuePatience;
        this.inFlight = new InFlight(owner, settings.maxBytesInFlight());
    }

    @Override
    public void send(Message message, int hash, Listener listener) {
        Objects.requireNonNull(listener, "listener");
        try {
            encoder.encode(message, MAX_BODY_BYTES);
        } catch (RocketMqException e) {
            inFlight.add(0);
            Batch nothing = new Batch();
            nothing.add(encoder.bytes(), 0, 0, hash, listener);
            connection.soon(() -> inFlight.refuse(nothing, e));
            return;
        }
        int size = encoder.length();
        Lane ready = null;
        lock.lock();
        try {
            inFlight.add(size);
            TopicLanes topic = topic(message.getTopic());
            if (topic.isHolding()) {
                topic.hold(encoder.bytes(), size, hash, listener);
                if (!topic.hasLanes()) {
                    route(topic);
                }
                return;
            }
            Lane lane = topic.lane(hash);
            boolean begun = lane.add(encoder.bytes(), 0, size, hash, listener, settings.maxBatchBytes(), settings.maxBatchRecords());
            if (begun && start(lane, false)) {
                ready = lane;
            }
        } finally {
            lock.unlock();
        }
        if (ready != null) {
            dispatch(ready);
        }
    }

    private TopicLanes topic(String name) {
        if (lastTopic == null || !lastTopic.name().equals(name)) {
            lastTopic = topics.computeIfAbsent(name, unused -> new TopicLanes(name, lostQueuePatience));
        }
        return lastTopic;
    }

    /**
     * Lets the next batch of a lane depart if it may. Under the lock.
     *
     * @param waited true if the batch has had its time to grow already
     * @return true if it is to be dispatched
     */
    private boolean start(Lane lane, boolean waited) {
        if (closed || !lane.isReady()) {
            return false;
        }
        if (!waited && !settings.linger().isZero() && !flushing && !lane.hasFullBatch()) {
            if (lane.beginLinger()) {
                connection.later(() -> lingered(lane), settings.linger().toMillis());
            }
            return false;
        }
        lane.depart();
        return true;
    }

    private void lingered(Lane lane) {
        lock.lock();
        try {
            if (closed || !lane.isReady()) {
                return;
            }
            lane.depart();
        } finally {
            lock.unlock();
        }
        dispatch(lane);
    }

    /** Sends what is under way in a lane. */
    private void dispatch(Lane lane) {
        Batch batch;
        int attempt;
        lock.lock();
        try {
            batch = lane.underWay();
            attempt = lane.attempt();
        } finally {
            lock.unlock();
        }
        Optional<String> address = connection.master(lane.queue());
        if (address.isEmpty()) {
            failed(lane, attempt, new RocketMqException("cannot " + what(lane) + ": the broker has no address at " + connection.namesrvAddr(), true, null));
            return;
        }
        connection.invoke(address.get(), batch.request(lane.queue(), GROUP), SEND_TIMEOUT_MS, new Connection.Reply() {
            @Override
            public void response(RemotingCommand response) {
                answered(lane, attempt, response);
            }

            @Override
            public void failure(Throwable why) {
                failed(lane, attempt, why);
            }
        });
    }

    private void answered(Lane lane, int attempt, RemotingCommand response) {
        switch (response.getCode()) {
            case ResponseCode.SUCCESS -> succeeded(lane, attempt, offsetIn(response));
            case ResponseCode.FLUSH_DISK_TIMEOUT, ResponseCode.FLUSH_SLAVE_TIMEOUT, ResponseCode.SLAVE_NOT_AVAILABLE -> {
                storedOnce(lane, response.getCode());
                succeeded(lane, attempt, offsetIn(response));
            }
            default -> failed(lane, attempt, new MQBrokerException(response.getCode(), response.getRemark()));
        }
    }

    /** The broker has stored a batch, but not yet on disk or on a replica as it is told to; sending it again would only store it twice. */
    private void storedOnce(Lane lane, int code) {
        if (warnedAboutCopies.compareAndSet(false, true)) {
            LOG.warn("{}: broker '{}' stores records, but {}; this is said once", owner, lane.queue().getBrokerName(), switch (code) {
                case ResponseCode.FLUSH_DISK_TIMEOUT -> "is late in writing them to disk";
                case ResponseCode.FLUSH_SLAVE_TIMEOUT -> "its replica is late in taking them";
                default -> "has no replica to take them";
            });
        }
    }

    private static long offsetIn(RemotingCommand response) {
        return Long.parseLong(response.getExtFields().get("queueOffset"));
    }

    private void succeeded(Lane lane, int attempt, long firstOffset) {
        Batch finished;
        List<Lane> ready = new ArrayList<>(1);
        lock.lock();
        try {
            if (closed || !lane.endAttempt(attempt)) {
                return;
            }
            finished = lane.finish();
            if (troubled && reason() == null) {
                troubled = false;
                LOG.info("{}: records get through again", owner);
            }
            next(lane, ready);
            TopicLanes topic = topics.get(lane.queue().getTopic());
            if (topic.isOld(System.nanoTime(), ROUTE_AGE_NANOS)) {
                route(topic);
            }
        } finally {
            lock.unlock();
        }
        ready.forEach(this::dispatch);
        inFlight.acknowledge(finished, lane.queue(), firstOffset);
    }

    /** A lane's batch is over: the next one, or the new queues if it was the last one of the old. Under the lock. */
    private void next(Lane lane, List<Lane> ready) {
        TopicLanes topic = topics.get(lane.queue().getTopic());
        if (lane.isAbandoned()) {
            topic.holdFirst(lane.withdraw());
        }
        if (start(lane, true)) {
            ready.add(lane);
        }
        switchOver(topic, ready);
    }

    /** Goes over to a topic's new queues if the old lanes have drained. Under the lock. */
    private void switchOver(TopicLanes topic, List<Lane> ready) {
        List<Batch> held = topic.switchOver();
        for (Batch messages : held) {
            for (int i = 0; i < messages.count(); i++) {
                topic.lane(messages.hash(i)).add(messages.bytes(), messages.begin(i), messages.size(i), messages.hash(i), messages.listener(i),
                    settings.maxBatchBytes(), settings.maxBatchRecords());
            }
        }
        if (!held.isEmpty()) {
            for (Lane other : topic.lanes()) {
                if (start(other, true)) {
                    ready.add(other);
                }
            }
        }
    }

    private String what(Lane lane) {
        return "send to topic '" + lane.queue().getTopic() + "', broker '" + lane.queue().getBrokerName() + "', queue "
            + lane.queue().getQueueId();
    }

    private void failed(Lane lane, int attempt, Throwable error) {
        RocketMqException failure = Failures.of(what(lane), error);
        Verdict verdict = Failures.verdict(error);
        if (verdict == Verdict.NEVER_THIS_MESSAGE || verdict == Verdict.NEVER || verdict == Verdict.TOO_MUCH_AT_ONCE) {
            refuse(lane, attempt, failure, verdict);
            return;
        }
        int times;
        List<Lane> ready = new ArrayList<>();
        lock.lock();
        try {
            if (closed || !lane.endAttempt(attempt)) {
                return;
            }
            times = lane.failed(failure.getMessage());
            TopicLanes topic = topics.get(lane.queue().getTopic());
            if (verdict == Verdict.TOPIC_MISSING) {
                directory.forget(topic.name());
            }
            if (verdict != Verdict.BUSY) {
                // The broker may have moved, or its queue.
                route(topic);
            }
            if (!troubled) {
                troubled = true;
                LOG.warn("{}: {}; sending again until it succeeds", owner, failure.getMessage());
            }
            if (lane.isAbandoned()) {
                next(lane, ready);
            } else {
                connection.later(() -> again(lane), pause(times));
            }
        } finally {
            lock.unlock();
        }
        ready.forEach(this::dispatch);
    }

    private void again(Lane lane) {
        lock.lock();
        try {
            // The lane may have been emptied meanwhile.
            if (closed || !lane.awaitsRetry()) {
                return;
            }
            lane.beginAttempt();
        } finally {
            lock.unlock();
        }
        dispatch(lane);
    }

    private void refuse(Lane lane, int attempt, RocketMqException reason, Verdict verdict) {
        Batch refused = null;
        List<Lane> ready = new ArrayList<>(1);
        lock.lock();
        try {
            if (closed || !lane.endAttempt(attempt)) {
                return;
            }
            boolean several = lane.underWay().count() > 1;
            if (several && verdict != Verdict.NEVER) {
                if (verdict == Verdict.TOO_MUCH_AT_ONCE) {
                    lane.shrinkBatches();
                }
                lane.halve();
            } else {
                refused = lane.finish();
            }
            next(lane, ready);
        } finally {
            lock.unlock();
        }
        ready.forEach(this::dispatch);
        if (refused != null) {
            inFlight.refuse(refused, reason);
        }
    }

    /** Finds the queues of a topic in the background. Under the lock. */
    private void route(TopicLanes topic) {
        if (!closed && topic.beginRouting()) {
            directory.find(topic.name(), settings.queuesForNewTopics()).whenCompleteAsync((route, error) -> {
                if (error == null) {
                    routed(topic, route);
                } else {
                    notRouted(topic, error instanceof CompletionException wrapped ? wrapped.getCause() : error);
                }
            }, connection.background());
        }
    }

    /** Looks whether the topics have other queues now; happens by itself twice a minute. */
    void lookUpRoutes() {
        lock.lock();
        try {
            topics.values().forEach(this::route);
        } finally {
            lock.unlock();
        }
    }

    private void routed(TopicLanes topic, Topics.Route route) {
        if (route.writable().isEmpty()) {
            notRouted(topic, new RocketMqException("topic '" + topic.name() + "' has no queue that can be written", true, null));
            return;
        }
        List<Lane> ready = new ArrayList<>();
        lock.lock();
        try {
            topic.endRouting();
            if (closed) {
                return;
            }
            switch (topic.routed(route.writable(), System.nanoTime())) {
                case SAME -> { }
                case FOUND -> switchOver(topic, ready);
                case CHANGING -> {
                    LOG.info("{}: topic '{}' has {} queues now", owner, topic.name(), route.writable().size());
                    switchOver(topic, ready);
                }
                case LOOK_AGAIN -> lookAgain(topic, LOOK_AGAIN_MS);
            }
        } finally {
            lock.unlock();
        }
        ready.forEach(this::dispatch);
    }

    private void lookAgain(TopicLanes topic, long delayMs) {
        connection.later(() -> {
            lock.lock();
            try {
                route(topic);
            } finally {
                lock.unlock();
            }
        }, delayMs);
    }

    private void notRouted(TopicLanes topic, Throwable error) {
        RocketMqException failure = Failures.of("find topic '" + topic.name() + "'", error);
        List<Batch> given = List.of();
        lock.lock();
        try {
            topic.endRouting();
            if (closed || topic.hasLanes()) {
                // What is known still holds.
                return;
            }
            int times = topic.failed(failure.getMessage());
            if (failure.isRetriable()) {
                if (!troubled) {
                    troubled = true;
                    LOG.warn("{}: {}; trying again until it succeeds", owner, failure.getMessage());
                }
                lookAgain(topic, pause(times));
                return;
            }
            topics.remove(topic.name(), topic);
            lastTopic = null;
            given = topic.giveUp();
        } finally {
            lock.unlock();
        }
        given.forEach(messages -> inFlight.refuse(messages, failure));
    }

    private static long pause(int failures) {
        long pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS << Math.min(failures - 1, 10));
        return pause - ThreadLocalRandom.current().nextLong(pause / 5 + 1);
    }

    @Override
    public boolean awaitCapacity(Duration timeout) throws InterruptedException {
        return inFlight.awaitCapacity(timeout);
    }

    @Override
    public boolean flush(Duration timeout) throws InterruptedException {
        List<Lane> ready = new ArrayList<>();
        lock.lock();
        try {
            flushing = true;
            for (TopicLanes topic : topics.values()) {
                for (Lane lane : topic.lanes()) {
                    if (start(lane, true)) {
                        ready.add(lane);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        ready.forEach(this::dispatch);
        try {
            return inFlight.awaitNothing(timeout);
        } finally {
            lock.lock();
            flushing = false;
            lock.unlock();
        }
    }

    @Override
    public Optional<String> trouble() {
        lock.lock();
        try {
            return Optional.ofNullable(reason());
        } finally {
            lock.unlock();
        }
    }

    private String reason() {
        for (TopicLanes topic : topics.values()) {
            if (topic.trouble() != null) {
                return topic.trouble();
            }
        }
        return null;
    }

    @Override
    public void close() {
        inFlight.close();
        lock.lock();
        try {
            closed = true;
            topics.clear();
            lastTopic = null;
        } finally {
            lock.unlock();
        }
    }
}
