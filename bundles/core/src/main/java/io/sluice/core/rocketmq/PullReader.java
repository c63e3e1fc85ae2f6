package io.sluice.core.rocketmq;

import io.sluice.core.rocketmq.RocketMq.ReaderSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullCallback;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link QueueReader} by long polls: one pull is under way for each queue as long as there is room for what it may bring. A pull that was
 * begun for an earlier position of its queue is recognised by that queue's epoch, and what it brings is dropped.
 */
final class PullReader implements QueueReader {

    private static final Logger LOG = LoggerFactory.getLogger(PullReader.class);
    /** What is asked for at once; the broker gives what its own limits allow. */
    private static final int PULL_RECORDS = 1_024;
    private static final long FIRST_RETRY_MS = 50;
    private static final long LONGEST_RETRY_MS = 3_000;

    /** One queue. Guarded by the lock. */
    private static final class Source {
        private final MessageQueue queue;
        private final ArrayDeque<MessageExt> ahead = new ArrayDeque<>();
        private long next;
        private int epoch;
        private boolean pulling;
        private boolean paused;
        private int failures;
        private String trouble;

        private Source(MessageQueue queue, long next) {
            this.queue = queue;
            this.next = next;
        }
    }

    private final String owner;
    private final ReaderSettings settings;
    private final DefaultMQPullConsumer consumer;
    private final ScheduledExecutorService timer;
    private final Runnable whenClosed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Map<MessageQueue, Source> sources = new LinkedHashMap<>();
    private long bufferedBytes;
    private int turn;
    private boolean closed;

    PullReader(String owner, ReaderSettings settings, DefaultMQPullConsumer consumer, ScheduledExecutorService timer, Runnable whenClosed) {
        this.owner = owner;
        this.settings = settings;
        this.consumer = consumer;
        this.timer = timer;
        this.whenClosed = whenClosed;
    }

    @Override
    public void assign(Map<MessageQueue, Long> offsets) {
        lock.lock();
        try {
            sources.values().removeIf(source -> {
                boolean lost = !offsets.containsKey(source.queue);
                if (lost) {
                    forget(source);
                }
                return lost;
            });
            offsets.forEach((queue, offset) -> sources.computeIfAbsent(queue, unused -> new Source(queue, offset)));
        } finally {
            lock.unlock();
        }
        pullWhereThereIsRoom();
    }

    /** Drops what was pulled ahead, and what is still to come of a pull under way. Under the lock. */
    private void forget(Source source) {
        source.epoch++;
        source.pulling = false;
        source.ahead.forEach(message -> bufferedBytes -= size(message));
        source.ahead.clear();
    }

    @Override
    public void seek(MessageQueue queue, long offset) {
        lock.lock();
        try {
            Source source = sources.get(queue);
            if (source == null) {
                throw new IllegalArgumentException(owner + " does not read " + queue);
            }
            forget(source);
            source.next = offset;
        } finally {
            lock.unlock();
        }
        pullWhereThereIsRoom();
    }

    @Override
    public void pause(Collection<MessageQueue> queues) {
        setPaused(queues, true);
    }

    @Override
    public void resume(Collection<MessageQueue> queues) {
        setPaused(queues, false);
        pullWhereThereIsRoom();
    }

    private void setPaused(Collection<MessageQueue> queues, boolean paused) {
        lock.lock();
        try {
            for (MessageQueue queue : queues) {
                Source source = sources.get(queue);
                if (source != null) {
                    source.paused = paused;
                }
            }
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<MessageExt> poll(Duration timeout) throws InterruptedException {
        List<MessageExt> batch;
        lock.lock();
        try {
            long left = timeout.toNanos();
            while ((batch = take()).isEmpty() && left > 0 && !closed) {
                left = arrived.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
        if (!batch.isEmpty()) {
            pullWhereThereIsRoom();
        }
        return batch;
    }

    /** Takes from the queues in turn, each as much as it has. Under the lock. */
    private List<MessageExt> take() {
        List<Source> inOrder = new ArrayList<>(sources.values());
        List<MessageExt> batch = new ArrayList<>();
        for (int i = 0; i < inOrder.size() && batch.size() < settings.maxBatchRecords(); i++) {
            Source source = inOrder.get((turn + i) % inOrder.size());
            while (!source.paused && !source.ahead.isEmpty() && batch.size() < settings.maxBatchRecords()) {
                MessageExt message = source.ahead.removeFirst();
                bufferedBytes -= size(message);
                batch.add(message);
            }
        }
        turn++;
        return batch;
    }

    private static int size(MessageExt message) {
        return message.getStoreSize();
    }

    private void pullWhereThereIsRoom() {
        List<Source> start = new ArrayList<>();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            for (Source source : sources.values()) {
                // A queue that has nothing ahead may always pull, so that a full buffer of others cannot starve it.
                boolean room = bufferedBytes < settings.maxBufferedBytes() || source.ahead.isEmpty();
                if (!source.pulling && !source.paused && room) {
                    source.pulling = true;
                    start.add(source);
                }
            }
        } finally {
            lock.unlock();
        }
        start.forEach(this::pull);
    }

    private void pull(Source source) {
        int epoch;
        long from;
        lock.lock();
        try {
            epoch = source.epoch;
            from = source.next;
        } finally {
            lock.unlock();
        }
        try {
            consumer.pullBlockIfNotFound(source.queue, "*", from, PULL_RECORDS, new PullCallback() {
                @Override
                public void onSuccess(PullResult result) {
                    pulled(source, epoch, from, result);
                }

                @Override
                public void onException(Throwable e) {
                    failed(source, epoch, e);
                }
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed(source, epoch, e);
        } catch (Exception e) {
            failed(source, epoch, e);
        }
    }

    private void pulled(Source source, int epoch, long from, PullResult result) {
        lock.lock();
        try {
            if (closed || source.epoch != epoch) {
                return;
            }
            source.pulling = false;
            source.failures = 0;
            source.trouble = null;
            if (result.getPullStatus() == PullStatus.OFFSET_ILLEGAL) {
                long to = from < result.getMinOffset() ? result.getMinOffset() : result.getNextBeginOffset();
                if (to > from) {
                    LOG.warn("{}: {} no longer holds offsets {} to {}; {} messages were deleted by RocketMQ before they were read", owner, source.queue,
                        from, to - 1, to - from);
                } else if (to < from) {
                    LOG.warn("{}: {} ends at offset {}, before offset {} where reading was to go on; it goes on at the end", owner, source.queue, to, from);
                }
                source.next = to;
            } else {
                source.next = result.getNextBeginOffset();
            }
            if (result.getPullStatus() == PullStatus.FOUND && result.getMsgFoundList() != null) {
                for (MessageExt message : result.getMsgFoundList()) {
                    source.ahead.addLast(message);
                    bufferedBytes += size(message);
                }
                arrived.signalAll();
            }
        } finally {
            lock.unlock();
        }
        pullWhereThereIsRoom();
    }

    private void failed(Source source, int epoch, Throwable error) {
        RocketMqException failure = Failures.of("read " + source.queue, error);
        long pause;
        lock.lock();
        try {
            if (closed || source.epoch != epoch) {
                return;
            }
            source.trouble = failure.getMessage();
            if (source.failures++ == 0) {
                LOG.warn("{}: {}; trying again until it succeeds", owner, failure.getMessage());
            }
            long longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS << Math.min(source.failures, 10));
            pause = longest - ThreadLocalRandom.current().nextLong(longest / 5 + 1);
        } finally {
            lock.unlock();
        }
        try {
            timer.schedule(() -> pullAgain(source, epoch), pause, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: the connection is closed, nothing is read any more", owner);
        }
    }

    private void pullAgain(Source source, int epoch) {
        lock.lock();
        try {
            if (closed || source.epoch != epoch) {
                return;
            }
        } finally {
            lock.unlock();
        }
        pull(source);
    }

    @Override
    public Optional<String> trouble() {
        lock.lock();
        try {
            return sources.values().stream().map(source -> source.trouble).filter(java.util.Objects::nonNull).findFirst();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            sources.values().forEach(this::forget);
            sources.clear();
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        whenClosed.run();
    }
}
