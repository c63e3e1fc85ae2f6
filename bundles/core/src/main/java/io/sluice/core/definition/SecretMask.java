package io.sluice.core.definition;

import io.sluice.spi.config.ConfigDefinition;
import io.sluice.spi.config.ConfigKey;
import io.sluice.spi.config.References;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Hides the values of secret keys. A reference is not secret: it says where the secret is, and it must survive being shown and sent back. */
public final class SecretMask {

    /** What stands in the place of a secret. */
    public static final String MASK = "****";

    private SecretMask() {
    }

    /** The configuration as it may be shown. A key that the plugin does not define is judged by its name. */
    public static Map<String, String> mask(Map<String, String> config, ConfigDefinition definition) {
        Map<String, String> masked = new LinkedHashMap<>();
        config.forEach((key, value) -> masked.put(key, isSecret(key, definition) && !References.contains(value) ? MASK : value));
        return masked;
    }

    /**
     * A task's configuration as it may be shown: where the connector's own configuration has a reference, the reference and not what it
     * stands for.
     */
    public static Map<String, String> maskResolved(Map<String, String> resolved, ConfigDefinition definition, Map<String, String> given) {
        Map<String, String> shown = new LinkedHashMap<>(resolved);
        given.forEach((key, value) -> {
            if (References.contains(value)) {
                shown.replace(key, value);
            }
        });
        return mask(shown, definition);
    }

    /** The configuration with every mask replaced by the value that stands behind it at present, so that what was shown can be sent back. */
    public static Map<String, String> unmask(Map<String, String> config, Map<String, String> present) {
        Map<String, String> unmasked = new LinkedHashMap<>();
        config.forEach((key, value) -> unmasked.put(key, MASK.equals(value) ? present.getOrDefault(key, value) : value));
        return unmasked;
    }

    private static boolean isSecret(String key, ConfigDefinition definition) {
        Optional<ConfigKey> defined = definition.key(key);
        if (defined.isPresent()) {
            return defined.get().isSecret();
        }
        String name = key.toLowerCase(Locale.ROOT);
        return name.contains("password") || name.contains("secret") || name.contains("token") || name.contains("credential");
    }
}
