package io.sluice.core.worker;

import io.sluice.spi.PluginMetrics;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;

/** What a task has done, in numbers: those of the runtime and those of its plugin. Any thread. */
final class TaskFigures implements PluginMetrics {

    final LongAdder recordsPolled = new LongAdder();
    final LongAdder recordsFiltered = new LongAdder();
    final LongAdder recordsSent = new LongAdder();
    final LongAdder recordsRead = new LongAdder();
    final LongAdder recordsPut = new LongAdder();
    final LongAdder recordsFailed = new LongAdder();
    final LongAdder recordsSkipped = new LongAdder();
    final LongAdder recordsDeadLettered = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder commits = new LongAdder();
    final LongAdder commitFailures = new LongAdder();

    private final ConcurrentMap<String, LongAdder> counters = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, DoubleSupplier> gauges = new ConcurrentHashMap<>();

    TaskFigures() {
        Map.ofEntries(
            Map.entry("records.polled", recordsPolled),
            Map.entry("records.filtered", recordsFiltered),
            Map.entry("records.sent", recordsSent),
            Map.entry("records.read", recordsRead),
            Map.entry("records.put", recordsPut),
            Map.entry("records.failed", recordsFailed),
            Map.entry("records.skipped", recordsSkipped),
            Map.entry("records.dead.lettered", recordsDeadLettered),
            Map.entry("retries", retries),
            Map.entry("commits", commits),
            Map.entry("commit.failures", commitFailures)).forEach(counters::put);
    }

    @Override
    public void count(String name, long amount) {
        counters.computeIfAbsent("plugin." + name, unused -> new LongAdder()).add(amount);
    }

    @Override
    public void gauge(String name, DoubleSupplier value) {
        gauges.put("plugin." + name, value);
    }

    void ownGauge(String name, DoubleSupplier value) {
        gauges.put(name, value);
    }

    /** All figures by name. A gauge whose supplier fails is left out. */
    Map<String, Double> snapshot() {
        Map<String, Double> figures = new TreeMap<>();
        counters.forEach((name, counter) -> figures.put(name, (double) counter.sum()));
        gauges.forEach((name, gauge) -> {
            try {
                figures.put(name, gauge.getAsDouble());
            } catch (RuntimeException e) {
                // A plugin's gauge may fail when its task has just been closed; the other figures are still right.
                figures.remove(name);
            }
        });
        return figures;
    }

    /** Lets go of the plugin's suppliers, which would keep its class loader alive. */
    void forgetGauges() {
        gauges.clear();
    }
}
