package io.sluice.runtime;

/** What a connector or a task does now. */
public enum State {
    /** No worker has it. */
    UNASSIGNED,
    /** A plugin that its configuration names is missing; it starts by itself when the plugin arrives. */
    WAITING,
    /** It is being started. */
    STARTING,
    /** It works. */
    RUNNING,
    /** It holds still and keeps its resources. */
    PAUSED,
    /** It was stopped by request. */
    STOPPED,
    /** It is being started anew by request or by policy. */
    RESTARTING,
    /** It ended with an error; see the trace. */
    FAILED
}
