package io.sluice.transforms.record;

import io.openmessaging.KeyValue;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Values that a configuration must give; what is wrong with one is an {@link IllegalArgumentException} that names its key. */
public final class Required {

    private Required() {
    }

    /** @param needs what the key needs, as the end of a sentence */
    public static String text(KeyValue config, String key, String needs) {
        String value = config.getString(key);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("'" + key + "' is missing; it needs " + needs);
        }
        return value;
    }

    /** A regular expression. */
    public static Pattern pattern(KeyValue config, String key) {
        String text = text(config, key, "a regular expression");
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("'" + key + "' cannot be '" + text + "'; it needs a regular expression: "
                + e.getDescription() + " near index " + e.getIndex(), e);
        }
    }
}
