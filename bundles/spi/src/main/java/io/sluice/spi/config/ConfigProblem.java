package io.sluice.spi.config;

import java.util.Objects;
import java.util.Optional;

/**
 * One thing that is wrong with a configuration.
 *
 * @param key the key it is about
 * @param value the value as given; empty if none was given or it is a secret
 * @param message a whole sentence: what is wrong and what would be right
 * @param severity whether it keeps the configuration from being accepted
 */
public record ConfigProblem(String key, Optional<String> value, String message, Severity severity) {

    /** Whether a problem keeps a configuration from being accepted. */
    public enum Severity { ERROR, WARNING }

    public ConfigProblem {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(severity, "severity");
    }

    public static ConfigProblem error(String key, String value, String message) {
        return new ConfigProblem(key, Optional.ofNullable(value), message, Severity.ERROR);
    }

    public static ConfigProblem warning(String key, String value, String message) {
        return new ConfigProblem(key, Optional.ofNullable(value), message, Severity.WARNING);
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }
}
