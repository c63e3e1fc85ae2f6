package io.sluice.core.worker;

import io.sluice.runtime.StateInfo;
import io.sluice.runtime.State;
import io.sluice.runtime.TaskStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** The place of one task in its connector: outlives the runs of the task and remembers how they failed. */
final class TaskSlot {

    private static final int KEPT_FAILURES = 10;

    private final int id;
    private final Map<String, String> config;
    private final Deque<StateInfo> failures = new ArrayDeque<>();
    private volatile TaskRunner runner;
    private volatile StateInfo ownState;

    /** @param config the task's configuration, references not resolved */
    TaskSlot(int id, Map<String, String> config, StateInfo state) {
        this.id = id;
        this.config = Map.copyOf(config);
        this.ownState = state;
    }

    int id() {
        return id;
    }

    Map<String, String> config() {
        return config;
    }

    /** Starts a new run. */
    void run(TaskRunner next) {
        runner = next;
        next.start();
    }

    /** The task could not even be created. */
    void failed(StateInfo failure) {
        runner = null;
        ownState = failure;
        remember(failure);
    }

    /** To be told of every state that a run reports. */
    void remember(StateInfo state) {
        if (state.state() == State.FAILED) {
            synchronized (failures) {
                if (failures.size() == KEPT_FAILURES) {
                    failures.removeFirst();
                }
                failures.addLast(state);
            }
        }
    }

    void setPaused(boolean paused) {
        TaskRunner present = runner;
        if (present != null) {
            present.setPaused(paused);
        }
    }

    /** Ends the present run, if there is one. @return false if it had to be abandoned */
    boolean stop(Duration timeout) {
        TaskRunner present = runner;
        return present == null || present.stop(timeout);
    }

    StateInfo state() {
        TaskRunner present = runner;
        return present == null ? ownState : present.state();
    }

    TaskStatus status() {
        TaskRunner present = runner;
        synchronized (failures) {
            return new TaskStatus(id, state(), List.copyOf(failures), present == null ? Map.of() : present.figures().snapshot());
        }
    }
}
