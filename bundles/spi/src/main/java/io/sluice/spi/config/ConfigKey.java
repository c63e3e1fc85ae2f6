package io.sluice.spi.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One configuration key.
 *
 * @param name the key as it stands in a configuration
 * @param type what text is a right value
 * @param required true if a value must be given, since there is no default
 * @param defaultValue the value in force when none is given; empty if there is none
 * @param options the allowed values with the text that explains each, in order; empty if any value of the type is right
 * @param min the least value of a number or length of a text, as written; empty if unbounded
 * @param max the greatest value or length; empty if unbounded
 * @param title the name for people
 * @param description what it does, its unit and its effect; never null
 */
public record ConfigKey(String name, ConfigType type, boolean required, Optional<String> defaultValue, Map<String, String> options,
                        Optional<String> min, Optional<String> max, String title, String description) {

    public ConfigKey {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(defaultValue, "defaultValue");
        Objects.requireNonNull(min, "min");
        Objects.requireNonNull(max, "max");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(description, "description");
        options = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** A key without options or range. */
    public static ConfigKey of(String name, ConfigType type, Optional<String> defaultValue, String description) {
        return new ConfigKey(name, type, defaultValue.isEmpty(), defaultValue, Map.of(), Optional.empty(), Optional.empty(), name, description);
    }

    /** True if the value must never be shown. */
    public boolean isSecret() {
        return type == ConfigType.PASSWORD;
    }
}
