package io.sluice.core.definition;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Brings the spellings of RocketMQ Connect and Kafka Connect to the one that the rest of the code reads. */
final class Aliases {

    /** From a foreign spelling to ours. */
    private static final Map<String, String> SPELLINGS = Map.of(
        "max.tasks", "tasks.max",
        "topics", "connect.topicnames");

    private Aliases() {
    }

    /** The configuration with every foreign spelling replaced; what is given in our spelling wins. */
    static Map<String, String> resolve(Map<String, String> config) {
        Map<String, String> resolved = new TreeMap<>(config);
        SPELLINGS.forEach((foreign, ours) ->
            Optional.ofNullable(config.get(foreign)).ifPresent(value -> resolved.putIfAbsent(ours, value)));
        return resolved;
    }
}
