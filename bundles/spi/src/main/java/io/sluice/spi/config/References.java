package io.sluice.spi.config;

import java.util.regex.Pattern;

/** Recognises values that stand for a secret or for a value kept elsewhere, in Felix's form and in Kafka Connect's. */
public final class References {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\[\\w+:[^\\]]+]|\\$\\{\\w+:[^}]+}");

    private References() {
    }

    /** True if {@code value} holds at least one reference such as {@code $[env:DB_PASSWORD]} or {@code ${file:secrets:db}}. */
    public static boolean contains(String value) {
        return value != null && value.indexOf('$') >= 0 && REFERENCE.matcher(value).find();
    }
}
