package io.sluice.core.definition;

import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Collections;
import java.util.Dictionary;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads a ConfigAdmin configuration as a connector's configuration: keys and values as text, without what the framework adds. */
final class Contents {

    /** The property in which FileInstall says which file a configuration comes from. */
    private static final String FILE = "felix.fileinstall.filename";

    private Contents() {
    }

    static Map<String, String> of(Dictionary<String, Object> properties) {
        Map<String, String> content = new TreeMap<>();
        for (String key : Collections.list(properties.keys())) {
            boolean framework = key.startsWith("service.") || key.startsWith("felix.fileinstall.") || key.startsWith(":")
                || key.startsWith(".") || key.startsWith("org.apache.karaf.") || key.equals("name");
            if (!framework) {
                content.put(key, text(properties.get(key)));
            }
        }
        return content;
    }

    private static String text(Object value) {
        if (value.getClass().isArray()) {
            return IntStream.range(0, Array.getLength(value)).mapToObj(i -> text(Array.get(value, i))).collect(Collectors.joining(","));
        }
        if (value instanceof Collection<?> values) {
            return values.stream().map(Contents::text).collect(Collectors.joining(","));
        }
        return value.toString();
    }

    /** Who made the configuration: the file it comes from, or some client of ConfigAdmin. */
    static String author(Dictionary<String, Object> properties) {
        Object file = properties.get(FILE);
        return file == null ? "configadmin" : "file:" + Path.of(file.toString().replaceFirst("^file:/*", "/")).getFileName();
    }

    /** Copies what ties a configuration to its file, so that the file follows the configuration. */
    static void keepOrigin(Dictionary<String, Object> from, Dictionary<String, Object> to) {
        Object file = from.get(FILE);
        if (file != null) {
            to.put(FILE, file);
        }
    }

    /** A digest of keys and values, equal for equal content alone. */
    static String digest(Map<String, String> content) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(content).forEach((key, value) -> text.append(key.length()).append(':').append(key)
            .append(value.length()).append(':').append(value));
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
