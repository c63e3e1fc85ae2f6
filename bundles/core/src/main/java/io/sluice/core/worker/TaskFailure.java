package io.sluice.core.worker;

/** Ends a task: it becomes FAILED with this message and cause. */
final class TaskFailure extends Exception {

    private static final long serialVersionUID = 1L;

    TaskFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
