package io.sluice.core.worker;

import io.openmessaging.KeyValue;
import io.openmessaging.internal.DefaultKeyValue;
import java.util.Map;

/** Builds the form in which the OpenMessaging API hands over a configuration. */
final class KeyValues {

    private KeyValues() {
    }

    static KeyValue of(Map<String, String> config) {
        KeyValue keyValue = new DefaultKeyValue();
        config.forEach(keyValue::put);
        return keyValue;
    }
}
