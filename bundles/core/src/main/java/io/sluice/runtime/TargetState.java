package io.sluice.runtime;

/** What a connector shall do; kept in the config store, so that it survives restarts. */
public enum TargetState {
    /** Its tasks run. */
    RUNNING,
    /** Its tasks are kept, with their resources, and do nothing. */
    PAUSED,
    /** It has no tasks; configuration and offsets are kept. */
    STOPPED
}
