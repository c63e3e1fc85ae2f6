package io.sluice.core.rocketmq;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A record as bytes, as it is in a message.
 *
 * @param topic the topic as the source named it
 * @param key null if there is none
 * @param value null if there is none
 * @param timestamp milliseconds since 1970; null if the record has none
 * @param extensions by name
 */
public record WireRecord(String topic, byte[] key, byte[] value, Long timestamp, Map<String, String> extensions) {

    public WireRecord {
        Objects.requireNonNull(topic, "topic");
        extensions = extensions.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(extensions));
    }
}
