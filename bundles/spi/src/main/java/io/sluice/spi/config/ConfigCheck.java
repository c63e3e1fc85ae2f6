package io.sluice.spi.config;

import java.math.BigDecimal;
import java.util.Optional;

/** Checks one value against its key. */
final class ConfigCheck {

    private ConfigCheck() {
    }

    static Optional<ConfigProblem> check(ConfigKey key, String value) {
        if (value == null || value.isBlank()) {
            return key.required()
                ? Optional.of(ConfigProblem.error(key.name(), value, "'" + key.name() + "' is missing; it needs " + expectation(key)))
                : Optional.empty();
        }
        if (References.contains(value)) {
            return Optional.empty();
        }
        String trimmed = value.trim();
        boolean right = switch (key.type()) {
            case BOOLEAN -> trimmed.equalsIgnoreCase("true") || trimmed.equalsIgnoreCase("false");
            case INT, LONG, DOUBLE -> isNumber(key, trimmed);
            case STRING, PASSWORD -> inRange(key, BigDecimal.valueOf(value.length())) && isOption(key, trimmed);
            case LIST -> Config.split(value).stream().allMatch(part -> isOption(key, part));
        };
        if (right && key.type().isNumber()) {
            right = isOption(key, trimmed);
        }
        if (right) {
            return Optional.empty();
        }
        String shown = key.isSecret() ? "(hidden)" : value;
        String message = "'" + key.name() + "' cannot be '" + shown + "'; it needs " + expectation(key);
        return Optional.of(ConfigProblem.error(key.name(), key.isSecret() ? null : value, message));
    }

    private static boolean isOption(ConfigKey key, String value) {
        return key.options().isEmpty() || key.options().keySet().stream().anyMatch(option -> option.equalsIgnoreCase(value));
    }

    private static boolean isNumber(ConfigKey key, String value) {
        try {
            BigDecimal number = switch (key.type()) {
                case INT -> BigDecimal.valueOf(Integer.parseInt(value));
                case LONG -> BigDecimal.valueOf(Long.parseLong(value));
                default -> new BigDecimal(value);
            };
            return inRange(key, number);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean inRange(ConfigKey key, BigDecimal number) {
        return key.min().map(min -> number.compareTo(new BigDecimal(min)) >= 0).orElse(true)
            && key.max().map(max -> number.compareTo(new BigDecimal(max)) <= 0).orElse(true);
    }

    /** What a right value looks like, as the end of a sentence. */
    private static String expectation(ConfigKey key) {
        if (!key.options().isEmpty()) {
            return "one of " + String.join(", ", key.options().keySet());
        }
        String what = switch (key.type()) {
            case BOOLEAN -> "true or false";
            case INT, LONG -> "a whole number";
            case DOUBLE -> "a number";
            case LIST -> "a comma-separated list";
            case PASSWORD -> "a password";
            case STRING -> "a text";
        };
        String measure = key.type().isNumber() ? "" : " characters";
        String from = key.min().map(min -> " of at least " + min + measure).orElse("");
        String to = key.max().map(max -> (from.isEmpty() ? " of" : " and") + " at most " + max + measure).orElse("");
        return what + from + to;
    }
}
