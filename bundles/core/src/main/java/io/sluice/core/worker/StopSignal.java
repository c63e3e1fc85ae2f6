package io.sluice.core.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells a task's thread to end, and lets it wait without missing that. */
final class StopSignal {

    private final CountDownLatch latch = new CountDownLatch(1);

    void raise() {
        latch.countDown();
    }

    boolean isRaised() {
        return latch.getCount() == 0;
    }

    /** Waits. @return true if the signal was raised before the time was over */
    boolean await(Duration time) throws InterruptedException {
        return latch.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
