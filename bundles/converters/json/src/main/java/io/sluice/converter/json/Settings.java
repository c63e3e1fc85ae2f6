package io.sluice.converter.json;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.config.Config;
import java.util.Locale;
import java.util.Map;

/** What {@link JsonConverterConfig} says, checked. */
record Settings(boolean isKey, boolean schemas, int cacheSize, boolean numericDecimals, boolean replaceNull, boolean kafkaNames) {

    /** @throws ConnectException if a value is not one that its key allows */
    static Settings of(Map<String, ?> configs) {
        JsonConverterConfig config = Config.of(configs, JsonConverterConfig.class);
        int cacheSize = config.schemas_cache_size();
        if (cacheSize < 1) {
            throw new ConnectException("'schemas.cache.size' cannot be '" + cacheSize + "'; it needs a whole number of at least 1");
        }
        return new Settings(config.isKey(), config.schemas_enable(), cacheSize,
            second("decimal.format", config.decimal_format(), "base64", "numeric"),
            config.replace_null_with_default(),
            second("logical.names", config.logical_names(), "openmessaging", "kafka"));
    }

    /** True for the second of two words, false for the first. */
    private static boolean second(String key, String value, String first, String second) {
        String word = value.trim().toLowerCase(Locale.ROOT);
        if (!word.equals(first) && !word.equals(second)) {
            throw new ConnectException("'" + key + "' cannot be '" + value + "'; it needs one of " + first + ", " + second);
        }
        return word.equals(second);
    }
}
