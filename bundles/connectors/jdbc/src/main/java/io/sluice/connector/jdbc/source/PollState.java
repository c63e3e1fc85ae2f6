package io.sluice.connector.jdbc.source;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Who has the connection: the poll that is under way, or, when none is, the one who stops the task. */
final class PollState {

    private final CountDownLatch idle = new CountDownLatch(1);
    private boolean polling;
    private boolean ended;

    /** @return false if the task has been stopped */
    synchronized boolean enter() {
        polling = !ended;
        return polling;
    }

    /** @return false if the task has been stopped meanwhile: the caller closes what is open */
    synchronized boolean leave() {
        polling = false;
        if (ended) {
            idle.countDown();
        }
        return !ended;
    }

    /** Stops. @return true if no poll is under way: the caller closes what is open */
    synchronized boolean end() {
        ended = true;
        return !polling;
    }

    /** @return true if the poll that was under way has ended in time */
    boolean awaitIdle(long millis) {
        try {
            return idle.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
