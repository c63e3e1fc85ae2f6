package io.sluice.core.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong with plugins now, for status and lists. Any thread. */
@Component(service = PluginProblems.class)
public final class PluginProblems {

    private static final Logger LOG = LoggerFactory.getLogger(PluginProblems.class);

    private final Map<Long, List<PluginProblem>> byBundle = new ConcurrentSkipListMap<>();
    private final List<Consumer<PluginProblem>> listeners = new CopyOnWriteArrayList<>();

    /** Takes a problem in, logs it and tells the listeners, unless it is known already. */
    void report(PluginProblem problem) {
        List<PluginProblem> before = byBundle.getOrDefault(problem.bundleId(), List.of());
        List<PluginProblem> after = byBundle.merge(problem.bundleId(), List.of(problem), PluginProblems::with);
        if (after.equals(before)) {
            return;
        }
        LOG.error("{}", problem.text());
        for (Consumer<PluginProblem> listener : listeners) {
            try {
                listener.accept(problem);
            } catch (RuntimeException e) {
                LOG.error("a listener for plugin problems failed", e);
            }
        }
    }

    private static List<PluginProblem> with(List<PluginProblem> known, List<PluginProblem> more) {
        if (known.containsAll(more)) {
            return known;
        }
        List<PluginProblem> all = new ArrayList<>(known);
        all.addAll(more);
        return List.copyOf(all);
    }

    /** Forgets the problems of a bundle that has gone or changed. */
    void forget(long bundleId) {
        byBundle.remove(bundleId);
    }

    /** All problems, by bundle, in the order in which they were found. */
    public List<PluginProblem> all() {
        return byBundle.values().stream().flatMap(List::stream).toList();
    }

    /**
     * @param listener told of every new problem on the thread that found it; must not block
     * @return ends it
     */
    public Runnable listen(Consumer<PluginProblem> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
