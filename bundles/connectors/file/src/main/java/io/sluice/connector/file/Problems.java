package io.sluice.connector.file;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.file.text.TextEncoding;
import io.sluice.spi.config.References;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a configuration, so that all of it is said at once. */
final class Problems {

    private final List<String> messages = new ArrayList<>();

    /** @param remedy what would be right, as the end of a sentence */
    void add(String key, String value, String why, String remedy) {
        messages.add("'" + key + "' cannot be '" + value + "': " + why + "; " + remedy);
    }

    void add(String message) {
        messages.add(message);
    }

    void checkCharset(String key, String value) {
        if (!References.contains(value)) {
            TextEncoding.refusal(value.trim()).ifPresent(why -> add(key, value, why, "name another charset, such as UTF-8"));
        }
    }

    /** @throws ConnectException if there is any problem */
    void throwIfAny() {
        if (!messages.isEmpty()) {
            throw new ConnectException(String.join(". ", messages));
        }
    }
}
