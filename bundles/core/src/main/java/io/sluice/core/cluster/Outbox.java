package io.sluice.core.cluster;

import java.util.ArrayList;
import java.util.List;

/** Collects what one event leads to. Entries are appended after all else is under way, so that a gate is closed before anybody reads of it. */
final class Outbox {

    private static final int ENTRIES_AT_ONCE = 1_000;

    private final List<Action> actions = new ArrayList<>();
    private final List<LogEntry> entries = new ArrayList<>();

    void act(Action action) {
        actions.add(action);
    }

    void append(LogEntry entry) {
        entries.add(entry);
    }

    /** All of it; it is empty after that. */
    List<Action> drain() {
        for (int from = 0; from < entries.size(); from += ENTRIES_AT_ONCE) {
            actions.add(new Action.Append(entries.subList(from, Math.min(entries.size(), from + ENTRIES_AT_ONCE))));
        }
        List<Action> all = List.copyOf(actions);
        actions.clear();
        entries.clear();
        return all;
    }
}
