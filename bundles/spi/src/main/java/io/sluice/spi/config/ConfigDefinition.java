package io.sluice.spi.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The configuration keys of a plugin. Immutable.
 *
 * @param title the name for people
 * @param description one paragraph about what is configured
 * @param keys the keys by name, in the order in which to show them
 */
public record ConfigDefinition(String title, String description, Map<String, ConfigKey> keys) {

    /** The definition of a plugin that states no keys; everything is right for it. */
    public static final ConfigDefinition NONE = new ConfigDefinition("", "", List.of());

    public ConfigDefinition {
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(description, "description");
        keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
    }

    public ConfigDefinition(String title, String description, List<ConfigKey> keys) {
        this(title, description, byName(keys));
    }

    private static Map<String, ConfigKey> byName(List<ConfigKey> keys) {
        Map<String, ConfigKey> map = new LinkedHashMap<>();
        for (ConfigKey key : keys) {
            if (map.put(key.name(), key) != null) {
                throw new IllegalArgumentException("the key '" + key.name() + "' is defined twice");
            }
        }
        return map;
    }

    public Optional<ConfigKey> key(String name) {
        return Optional.ofNullable(keys.get(name));
    }

    /**
     * Checks values against types, ranges, options and presence. Keys that are not defined here are not looked at.
     *
     * @param config keys and values; a value that holds a reference ({@code $[...]} or {@code ${...}}) is only checked for presence, since
     *     what it stands for is known when a task starts
     */
    public List<ConfigProblem> validate(Map<String, String> config) {
        List<ConfigProblem> problems = new ArrayList<>();
        for (ConfigKey key : keys.values()) {
            ConfigCheck.check(key, config.get(key.name())).ifPresent(problems::add);
        }
        return List.copyOf(problems);
    }
}
