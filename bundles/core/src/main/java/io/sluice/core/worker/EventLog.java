package io.sluice.core.worker;

import io.sluice.runtime.Event;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The latest events of this worker, a bounded number of them. Any thread. */
public final class EventLog {

    private static final int CAPACITY = 1_000;

    private final Deque<Event> events = new ArrayDeque<>();
    private final Clock clock;

    public EventLog(Clock clock) {
        this.clock = clock;
    }

    public void add(String connector, Integer task, String message) {
        synchronized (events) {
            if (events.size() == CAPACITY) {
                events.removeFirst();
            }
            events.addLast(new Event(clock.instant(), Optional.ofNullable(connector), Optional.ofNullable(task), message));
        }
    }

    /** Oldest first; those of one connector if it is named. */
    public List<Event> latest(Optional<String> connector) {
        synchronized (events) {
            List<Event> latest = new ArrayList<>(events);
            connector.ifPresent(name -> latest.removeIf(event -> !event.connector().equals(connector)));
            return latest;
        }
    }
}
