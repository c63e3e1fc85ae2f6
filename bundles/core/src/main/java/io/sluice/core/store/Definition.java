package io.sluice.core.store;

import io.sluice.runtime.TargetState;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A connector as the config store keeps it.
 *
 * @param name the connector
 * @param config keys and values as given; references to secrets not resolved
 * @param target what it shall do
 * @param revision counted up by every change of this connector, from 1; never reused, not even after a delete
 * @param author who made this revision, such as {@code admin@rest} or {@code file:orders.cfg.json}
 * @param changedAt when
 */
public record Definition(String name, Map<String, String> config, TargetState target, long revision, String author, Instant changedAt) {

    public Definition {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(author, "author");
        Objects.requireNonNull(changedAt, "changedAt");
        config = Collections.unmodifiableMap(new TreeMap<>(config));
    }
}
