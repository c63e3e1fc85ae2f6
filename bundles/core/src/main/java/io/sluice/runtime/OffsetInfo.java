package io.sluice.runtime;

import java.util.Map;

/** A committed offset: the connector's own maps for a source; topic, brokerName, queueId and queueOffset for a sink. */
public record OffsetInfo(Map<String, Object> partition, Map<String, Object> offset) {

    public OffsetInfo {
        partition = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(partition));
        offset = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(offset));
    }
}
