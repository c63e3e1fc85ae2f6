package io.sluice.core.rocketmq;

import java.util.Objects;

/**
 * How the names of topics become names that RocketMQ takes: letters, digits, and {@code % | _ -}, at most 127 of them. Other characters,
 * such as the dots in {@code inventory.public.orders}, are replaced by one that is allowed.
 *
 * @param replacement stands in the place of every character that is not allowed
 */
public record TopicNames(char replacement) {

    private static final int MAX_LENGTH = 127;

    public TopicNames {
        if (!allowed(replacement)) {
            throw new IllegalArgumentException("'" + replacement + "' is not allowed in the name of a topic itself");
        }
    }

    /** The name for RocketMQ; the same object if it is allowed as it is. @throws RocketMqException if it is empty or too long */
    public String map(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty() || name.length() > MAX_LENGTH) {
            throw new RocketMqException("'" + name + "' cannot be the name of a topic; it needs 1 to " + MAX_LENGTH + " characters", false, null);
        }
        int at = 0;
        while (at < name.length() && allowed(name.charAt(at))) {
            at++;
        }
        if (at == name.length()) {
            return name;
        }
        StringBuilder mapped = new StringBuilder(name);
        for (; at < name.length(); at++) {
            if (!allowed(name.charAt(at))) {
                mapped.setCharAt(at, replacement);
            }
        }
        return mapped.toString();
    }

    private static boolean allowed(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '%' || c == '|' || c == '_' || c == '-';
    }
}
