package io.sluice.core.rocketmq;

import io.sluice.core.rocketmq.Failures.Verdict;
import io.sluice.core.rocketmq.RocketMq.ReaderSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link QueueReader} by long polls: one pull is under way for each queue as long as there is room for what it may bring. A pull that was
 * begun for an earlier position of its queue is recognised by that queue's epoch, and what it brings is dropped.
 *
 * <p>The bound on what is pulled ahead may be exceeded by one pull for each queue, since a queue with nothing ahead always pulls: otherwise
 * a full buffer of others could starve it.
 */
final class PullReader implements QueueReader {

    private static final Logger LOG = LoggerFactory.getLogger(PullReader.class);
    private static final long PULL_TIMEOUT_MS = Pull.LONG_POLL_MS + 10_000;
    private static final long FIRST_RETRY_MS = 50;
    private static final long LONGEST_RETRY_MS = 3_000;
    /** A pull that brings nothing without having waited is repeated after this time. */
    private static final long IDLE_MS = 200;
    /** A broker that has just recovered from a crash says for a while that its queues end before they do. */
    private static final long BEYOND_END_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long BEYOND_END_RETRY_MS = 500;

    private final String owner;
    private final String group;
    private final ReaderSettings settings;
    private final Connection connection;
    private final Topics topics;
    private final ConsumerGroups groups;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Map<MessageQueue, PulledQueue> queues = new LinkedHashMap<>();
    private List<PulledQueue> inOrder = List.of();
    private int turn;
    private boolean troubled;
    private boolean closed;

    PullReader(String owner, String group, ReaderSettings settings, Connection connection, Topics topics, ConsumerGroups groups) {
        this.owner = owner;
        this.group = group;
        this.settings = settings;
        this.connection = connection;
        this.topics = topics;
        this.groups = groups;
    }

    @Override
    public void assign(Map<MessageQueue, Long> offsets) {
        Set<String> read = new HashSet<>();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            queues.values().removeIf(queue -> {
                boolean lost = !offsets.containsKey(queue.queue());
                if (lost) {
                    queue.moveTo(0);
                }
                return lost;
            });
            offsets.forEach((queue, offset) -> {
                read.add(queue.getTopic());
                queues.computeIfAbsent(queue, unused -> new PulledQueue(queue, offset));
            });
            inOrder = List.copyOf(queues.values());
        } finally {
            lock.unlock();
        }
        groups.join(group, this, read);
        pullWhereThereIsRoom();
    }

    @Override
    public void seek(MessageQueue queue, long offset) {
        lock.lock();
        try {
            PulledQueue moved = queues.get(queue);
            if (moved == null) {
                throw new IllegalArgumentException(owner + " does not read " + queue);
            }
            moved.moveTo(offset);
        } finally {
            lock.unlock();
        }
        pullWhereThereIsRoom();
    }

    @Override
    public void pause(Collection<MessageQueue> which) {
        pause(which, true);
    }

    @Override
    public void resume(Collection<MessageQueue> which) {
        pause(which, false);
        pullWhereThereIsRoom();
    }

    private void pause(Collection<MessageQueue> which, boolean paused) {
        lock.lock();
        try {
            for (MessageQueue queue : which) {
                PulledQueue known = queues.get(queue);
                if (known != null) {
                    known.pause(paused);
                }
            }
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Messages to be decoded out of a chunk. */
    private record Share(PulledQueue.Chunk chunk, int count) { }

    @Override
    public List<MessageExt> poll(Duration timeout) throws InterruptedException {
        List<Share> shares;
        lock.lock();
        try {
            long left = timeout.toNanos();
            while ((shares = take()).isEmpty() && left > 0 && !closed) {
                left = arrived.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
        if (shares.isEmpty()) {
            return List.of();
        }
        pullWhereThereIsRoom();
        List<MessageExt> messages = new ArrayList<>(shares.stream().mapToInt(Share::count).sum());
        shares.forEach(share -> share.chunk.decode(share.count, messages));
        return messages;
    }

    /** Takes from the queues in turn, each as much as it has. Under the lock. */
    private List<Share> take() {
        List<Share> shares = new ArrayList<>();
        int room = settings.maxBatchRecords();
        for (int i = 0; i < inOrder.size() && room > 0; i++) {
            PulledQueue queue = inOrder.get((turn + i) % inOrder.size());
            for (PulledQueue.Chunk chunk; room > 0 && (chunk = queue.first()) != null;) {
                int count = queue.take(room);
                room -= count;
                shares.add(new Share(chunk, count));
            }
        }
        if (!shares.isEmpty()) {
            turn = (turn + 1) % inOrder.size();
        }
        return shares;
    }

    private void pullWhereThereIsRoom() {
        Map<PulledQueue, Integer> start = new LinkedHashMap<>();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            long buffered = bufferedBytes();
            for (PulledQueue queue : inOrder) {
                if (queue.mayPull() && (buffered < settings.maxBufferedBytes() || !queue.hasAhead())) {
                    queue.beginPull();
                    start.put(queue, queue.epoch());
                }
            }
        } finally {
            lock.unlock();
        }
        start.forEach(this::pull);
    }

    /** How much is pulled ahead at present. */
    long bufferedBytes() {
        lock.lock();
        try {
            long buffered = 0;
            for (PulledQueue queue : inOrder) {
                buffered += queue.bytesAhead();
            }
            return buffered;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Pulls once; the queue says that it is pulling.
     *
     * @param epoch the queue's epoch when that was decided; it may have moved since, and then another pull is under way already
     */
    private void pull(PulledQueue queue, int epoch) {
        long from;
        long brokerId;
        lock.lock();
        try {
            if (closed || queue.epoch() != epoch) {
                return;
            }
            from = queue.next();
            brokerId = queue.brokerId();
        } finally {
            lock.unlock();
        }
        Optional<String> address = connection.member(queue.queue(), brokerId);
        if (address.isEmpty()) {
            failed(queue, epoch, new RocketMqException("cannot read " + text(queue) + ": the broker has no address at " + connection.namesrvAddr(),
                true, null));
            return;
        }
        long began = System.nanoTime();
        connection.invoke(address.get(), Pull.request(group, queue.queue(), from), PULL_TIMEOUT_MS, new Connection.Reply() {
            @Override
            public void response(RemotingCommand response) {
                answered(queue, epoch, from, response, began);
            }

            @Override
            public void failure(Throwable why) {
                failed(queue, epoch, why);
            }
        });
    }

    private void answered(PulledQueue queue, int epoch, long from, RemotingCommand response, long began) {
        Pull pull = Pull.of(response, from);
        long pauseMs = 0;
        lock.lock();
        try {
            if (closed || queue.epoch() != epoch) {
                return;
            }
            switch (pull.outcome()) {
                case FOUND -> {
                    queue.add(pull.messages(), pull.offsetDelta(), from);
                    queue.pulled(pull.next(), pull.broker());
                    arrived.signalAll();
                }
                case NOTHING -> {
                    // A broker that has nothing waits for it; one that does not must not be asked all the time.
                    boolean waited = System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(IDLE_MS);
                    pauseMs = waited || pull.next() != from ? 0 : IDLE_MS;
                    queue.pulled(pull.next(), pull.broker());
                }
                case MOVED -> pauseMs = moved(queue, from, pull);
                case FAILED -> pauseMs = -1;
            }
            if (pauseMs > 0) {
                queue.beginPull();
            }
            if (pauseMs >= 0 && troubled && reason() == null) {
                troubled = false;
                LOG.info("{}: reading goes on", owner);
                groups.tell();
            }
        } finally {
            lock.unlock();
        }
        if (pauseMs < 0) {
            failed(queue, epoch, new MQBrokerException(response.getCode(), response.getRemark()));
        } else if (pauseMs > 0) {
            connection.later(() -> pull(queue, epoch), pauseMs);
        } else {
            pullWhereThereIsRoom();
        }
    }

    /** The queue does not hold the offset. Under the lock. @return how long to wait before it is asked again */
    private long moved(PulledQueue queue, long from, Pull pull) {
        long least = pull.least();
        long end = pull.end();
        if (from < least) {
            LOG.warn("{}: {} no longer holds offsets {} to {}: RocketMQ has deleted {} messages before they were read", owner, text(queue), from,
                least - 1, least - from);
            queue.pulled(least, MixAll.MASTER_ID);
            return 0;
        }
        if (from <= end) {
            queue.pulled(from, MixAll.MASTER_ID);
            return IDLE_MS;
        }
        if (queue.beyondEnd(System.nanoTime()) < BEYOND_END_PATIENCE_NANOS) {
            queue.failed(text(queue) + " ends at offset " + end + ", before offset " + from + " where reading is to go on");
            return BEYOND_END_RETRY_MS;
        }
        LOG.warn("{}: {} ends at offset {}, before offset {} where reading was to go on: messages were lost in RocketMQ, or the topic was made"
            + " anew; reading goes on at its end", owner, text(queue), end, from);
        queue.pulled(end, MixAll.MASTER_ID);
        return 0;
    }

    private static String text(PulledQueue queue) {
        return "queue " + queue.queue().getQueueId() + " of topic '" + queue.queue().getTopic() + "' at broker '" + queue.queue().getBrokerName() + "'";
    }

    private void failed(PulledQueue queue, int epoch, Throwable error) {
        RocketMqException failure = Failures.of("read " + text(queue), error);
        Verdict verdict = Failures.verdict(error);
        long pause;
        lock.lock();
        try {
            if (closed || queue.epoch() != epoch) {
                return;
            }
            int times = queue.failed(failure.getMessage());
            if (!troubled) {
                troubled = true;
                LOG.warn("{}: {}; trying again until it succeeds", owner, failure.getMessage());
            }
            long longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS << Math.min(times, 10));
            pause = longest - ThreadLocalRandom.current().nextLong(longest / 5 + 1);
        } finally {
            lock.unlock();
        }
        if (error instanceof MQBrokerException broker && broker.getResponseCode() == ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST) {
            connection.soon(() -> createGroup(queue));
        } else if (verdict != Verdict.BUSY) {
            topics.refresh(queue.queue().getTopic());
        }
        connection.later(() -> pull(queue, epoch), pause);
    }

    /** Where brokers do not create groups by themselves. */
    private void createGroup(PulledQueue queue) {
        try {
            groups.create(group, connection.master(queue.queue()).stream().toList());
            groups.tell();
        } catch (RocketMqException e) {
            LOG.warn("{}: {}", owner, e.getMessage());
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
        return inOrder.stream().map(PulledQueue::trouble).filter(Objects::nonNull).findFirst().orElse(null);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            queues.values().forEach(queue -> queue.moveTo(0));
            queues.clear();
            inOrder = List.of();
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        groups.leave(group, this);
    }
}
