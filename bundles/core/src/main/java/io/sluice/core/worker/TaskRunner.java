package io.sluice.core.worker;

import io.sluice.core.rocketmq.RocketMqException;
import io.sluice.runtime.State;
import io.sluice.runtime.StateInfo;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one task on one thread of its own, from start to stop. A task that throws, hangs or leaks harms only itself: it becomes FAILED, or
 * is abandoned when it does not end in time.
 *
 * <p>{@link #setPaused} and {@link #stop} may be called by any thread.
 */
abstract class TaskRunner {

    private static final Logger LOG = LoggerFactory.getLogger(TaskRunner.class);
    /** How long a call into the plugin that is under way may take before the plugin is told to stop from outside. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration LONGEST_REACH_PAUSE = Duration.ofSeconds(5);
    private static final Duration HOLD = Duration.ofMillis(100);

    protected final TaskSetup setup;
    protected final StopSignal stopSignal = new StopSignal();
    protected final TaskFigures figures = new TaskFigures();

    private final String workerId;
    private final Clock clock;
    private final Consumer<StateInfo> listener;
    private final Thread thread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicBoolean taskStopped = new AtomicBoolean();
    private volatile boolean taskStarted;
    private volatile boolean paused;
    private volatile long windDownDeadline;
    private volatile StateInfo state;

    /** @param listener told of every change of state, on the thread that makes it; must not block */
    TaskRunner(TaskSetup setup, String workerId, Clock clock, boolean paused, Consumer<StateInfo> listener) {
        this.setup = setup;
        this.workerId = workerId;
        this.clock = clock;
        this.paused = paused;
        this.listener = listener;
        this.state = new StateInfo(State.STARTING, Optional.empty(), clock.instant(), workerId, Optional.empty());
        this.thread = new Thread(this::run, "sluice-task-" + setup.name());
        thread.setDaemon(true);
        thread.setContextClassLoader(setup.loader());
        thread.setUncaughtExceptionHandler((unused, e) -> LOG.error("task {}: its thread ended with an error", setup.name(), e));
    }

    final void start() {
        thread.start();
    }

    final StateInfo state() {
        return state;
    }

    final TaskFigures figures() {
        return figures;
    }

    final void setPaused(boolean pause) {
        paused = pause;
    }

    /**
     * Ends the task: it finishes what is under way, commits, and is stopped. What does not end by itself is told to stop, then
     * interrupted, then abandoned.
     *
     * @return true if it ended in time
     */
    final boolean stop(Duration timeout) {
        windDownDeadline = System.nanoTime() + timeout.toNanos();
        stopSignal.raise();
        if (awaitEnd(min(PATIENCE, timeout.dividedBy(4)))) {
            return true;
        }
        // The plugin sits in a call; its own stop() is the polite way to get it out of there.
        Thread stopper = new Thread(this::stopTask, "sluice-task-stop-" + setup.name());
        stopper.setDaemon(true);
        stopper.setContextClassLoader(setup.loader());
        stopper.start();
        if (awaitEnd(remaining(timeout.dividedBy(4)))) {
            return true;
        }
        thread.interrupt();
        if (awaitEnd(remaining(Duration.ZERO))) {
            return true;
        }
        LOG.error("task {}: did not stop within {} ms and is abandoned; it hangs here:{}", setup.name(), timeout.toMillis(), stackOf(thread));
        abandon();
        return false;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Duration remaining(Duration reserve) {
        return Duration.ofNanos(Math.max(0, windDownDeadline - System.nanoTime() - reserve.toNanos()));
    }

    private boolean awaitEnd(Duration time) {
        try {
            ended.get(time.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String stackOf(Thread thread) {
        StringBuilder text = new StringBuilder();
        for (StackTraceElement element : thread.getStackTrace()) {
            text.append("\n    at ").append(element);
        }
        return text.toString();
    }

    /** How much of the time for stopping is left, for the waits of {@link #windDown}. */
    protected final Duration windDownTime() {
        Duration left = remaining(Duration.ofMillis(200));
        return left.isZero() ? Duration.ofMillis(1) : left;
    }

    private void run() {
        try {
            setUp();
            if (!stopSignal.isRaised()) {
                loop();
            }
            windDown();
            stopTask();
            change(State.STOPPED, Optional.empty());
        } catch (InterruptedException e) {
            // Only stop() interrupts this thread.
            Thread.currentThread().interrupt();
            change(State.STOPPED, Optional.of("was interrupted while stopping"));
        } catch (Throwable e) {
            fail(e);
        } finally {
            stopTask();
            release();
            figures.forgetGauges();
            ended.complete(null);
        }
    }

    private void loop() throws Exception {
        boolean holding = paused;
        holdingChanged(holding);
        change(holding ? State.PAUSED : State.RUNNING, Optional.empty());
        while (!stopSignal.isRaised()) {
            if (paused != holding) {
                holding = paused;
                holdingChanged(holding);
                change(holding ? State.PAUSED : State.RUNNING, Optional.empty());
            }
            if (holding) {
                hold();
                stopSignal.await(HOLD);
            } else {
                step();
            }
        }
    }

    private void fail(Throwable error) {
        if (stopSignal.isRaised()) {
            LOG.info("task {}: ended with an error while it was being stopped: {}", setup.name(), error.toString());
        } else {
            LOG.error("task {}: failed: {}", setup.name(), messageOf(error), error);
        }
        try {
            salvage();
        } catch (Exception | LinkageError e) {
            LOG.warn("task {}: could not commit what it had done before it failed", setup.name(), e);
        }
        StringWriter trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace));
        state = new StateInfo(State.FAILED, Optional.of(messageOf(error)), clock.instant(), workerId, Optional.of(trace.toString()));
        listener.accept(state);
    }

    private static String messageOf(Throwable error) {
        return error instanceof TaskFailure ? error.getMessage() : error.toString();
    }

    /** Shows why the task makes no progress although it runs; empty when it does. */
    protected final void showTrouble(Optional<String> reason) {
        State present = state.state();
        if ((present == State.RUNNING || present == State.STARTING) && !state.reason().equals(reason)) {
            change(present, reason);
            reason.ifPresentOrElse(
                text -> LOG.warn("task {}: makes no progress: {}", setup.name(), text),
                () -> LOG.info("task {}: goes on", setup.name()));
        }
    }

    /** Asks RocketMQ for something, again and again while it fails for a reason that may pass and the task is not to stop. */
    protected final <T> T reach(Callable<T> request) throws Exception {
        Backoff backoff = new Backoff(LONGEST_REACH_PAUSE);
        while (true) {
            try {
                T answer = request.call();
                showTrouble(Optional.empty());
                return answer;
            } catch (RocketMqException e) {
                showTrouble(Optional.of(e.getMessage()));
                if (!e.isRetriable() || stopSignal.await(backoff.next())) {
                    throw e;
                }
            }
        }
    }

    private void change(State to, Optional<String> reason) {
        state = new StateInfo(to, reason, clock.instant(), workerId, Optional.empty());
        listener.accept(state);
    }

    /** To be called once the plugin's task was started, so that it will be stopped. */
    protected final void taskStarted() {
        taskStarted = true;
    }

    private void stopTask() {
        if (taskStarted && taskStopped.compareAndSet(false, true)) {
            try {
                PluginCall.run(setup.loader(), setup.task()::stop);
            } catch (Exception | LinkageError e) {
                LOG.warn("task {}: its stop() threw", setup.name(), e);
            }
        }
    }

    /** Initialises and starts the task and what it needs. */
    protected abstract void setUp() throws Exception;

    /** A bounded piece of work: at most about a second when nothing is to do. */
    protected abstract void step() throws Exception;

    /** What must go on while the task is paused. */
    protected abstract void hold() throws Exception;

    /** The task begins to hold still, or goes on. */
    protected abstract void holdingChanged(boolean holding) throws Exception;

    /** Finishes and commits what is under way, within {@link #windDownTime()}. The task has not been stopped yet. */
    protected abstract void windDown() throws Exception;

    /** Commits what was finished before a failure, as far as that is still possible. */
    protected abstract void salvage() throws Exception;

    /** Closes what {@link #setUp} opened, as far as it got. */
    protected abstract void release();

    /** The thread will not come back: closes what can be closed from outside, so that it can do no more harm. */
    protected abstract void abandon();
}
