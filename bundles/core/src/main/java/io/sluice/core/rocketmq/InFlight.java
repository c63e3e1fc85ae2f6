package io.sluice.core.rocketmq;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.apache.rocketmq.common.message.MessageQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a sender has taken and neither got acknowledged nor refused. Who wants to know what became of a record is told first, and then the
 * record counts as done, so that whoever waits for the end finds everything told. Any thread.
 */
final class InFlight {

    private static final Logger LOG = LoggerFactory.getLogger(InFlight.class);

    private final String owner;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition fewer = lock.newCondition();
    private long bytes;
    private long records;
    private boolean closed;

    InFlight(String owner, long maxBytes) {
        this.owner = owner;
        this.maxBytes = maxBytes;
    }

    /** A record is taken. @throws IllegalStateException if the sender is closed */
    void add(long size) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException(owner + ": the sender is closed");
            }
            records++;
            bytes += size;
        } finally {
            lock.unlock();
        }
    }

    void acknowledge(Batch batch, MessageQueue queue, long firstOffset) {
        tell(batch, i -> batch.listener(i).acknowledged(queue, firstOffset + i));
    }

    void refuse(Batch batch, RocketMqException reason) {
        RocketMqException last = reason.isRetriable() ? new RocketMqException(reason.getMessage(), false, reason) : reason;
        tell(batch, i -> batch.listener(i).refused(last));
    }

    private void tell(Batch batch, IntConsumer listener) {
        RuntimeException first = null;
        int thrown = 0;
        for (int i = 0; i < batch.count(); i++) {
            try {
                listener.accept(i);
            } catch (RuntimeException e) {
                first = first == null ? e : first;
                thrown++;
            }
        }
        if (first != null) {
            LOG.error("{}: {} of {} listeners of a batch threw; the first of them:", owner, thrown, batch.count(), first);
        }
        lock.lock();
        try {
            records -= batch.count();
            bytes -= batch.length();
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is less than the limit. @return false if the time was over, or the sender closed, before that */
    boolean awaitCapacity(Duration timeout) throws InterruptedException {
        return await(timeout, false);
    }

    /** Waits until there is nothing. @return false if the time was over, or the sender closed, before that */
    boolean awaitNothing(Duration timeout) throws InterruptedException {
        return await(timeout, true);
    }

    private boolean await(Duration timeout, boolean nothing) throws InterruptedException {
        lock.lock();
        try {
            long left = timeout.toNanos();
            while (nothing ? records > 0 : bytes >= maxBytes) {
                if (left <= 0 || closed) {
                    return false;
                }
                left = fewer.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends every wait; nothing is taken any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
