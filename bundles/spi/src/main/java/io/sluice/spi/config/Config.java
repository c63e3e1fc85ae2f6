package io.sluice.spi.config;

import io.openmessaging.KeyValue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.util.converter.ConversionException;
import org.osgi.util.converter.Converter;
import org.osgi.util.converter.Converters;
import org.osgi.util.converter.TypeRule;

/**
 * Typed access to a plugin's configuration through the annotation type that defines it.
 *
 * <p>Names follow Declarative Services: the method {@code batch_max_rows()} reads the key {@code batch.max.rows}. A key that is not given
 * has the default of its method. Arrays are read from comma-separated text.
 */
public final class Config {

    private static final Converter CONVERTER = Converters.newConverterBuilder()
        .rule(new TypeRule<String, String[]>(String.class, String[].class, text -> split(text).toArray(String[]::new)))
        .build();

    private Config() {
    }

    /**
     * @param config keys and values, references resolved; a value that is not text is read by its text form
     * @param type an annotation type
     * @throws IllegalArgumentException if the values do not fit the types; validate first to get a message for each key
     */
    public static <T> T of(Map<String, ?> config, Class<T> type) {
        Map<String, String> given = new LinkedHashMap<>();
        // A blank value means "not given", as in validation: the default applies.
        config.forEach((key, value) -> {
            String text = value == null ? "" : value.toString();
            if (!text.isBlank()) {
                given.put(key, text);
            }
        });
        try {
            return CONVERTER.convert(given).to(type);
        } catch (ConversionException e) {
            throw new IllegalArgumentException("the configuration does not fit " + type.getSimpleName() + ": " + e.getMessage(), e);
        }
    }

    /** As {@link #of(Map, Class)}, from the form in which a connector or task is started. */
    public static <T> T of(KeyValue config, Class<T> type) {
        return of(toMap(config), type);
    }

    /** The keys and values of {@code config} as a map, in the order in which it lists them. */
    public static Map<String, String> toMap(KeyValue config) {
        Map<String, String> map = new LinkedHashMap<>();
        config.keySet().forEach(key -> map.put(key, config.getString(key)));
        return map;
    }

    /** The parts of a comma-separated text, blanks around them and empty parts dropped. */
    public static List<String> split(String text) {
        return Arrays.stream(text.split(",")).map(String::trim).filter(part -> !part.isEmpty()).toList();
    }
}
