package io.sluice.core.definition;

import io.sluice.runtime.ErrorCode;
import io.sluice.runtime.SluiceException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts values in the place of references, when a task starts and never before: {@code $[env:NAME]}, {@code $[prop:NAME]},
 * {@code $[secret:NAME]} (a file of that name in the secrets folder), each with an optional {@code ;default=...}, and Kafka Connect's
 * {@code ${env:NAME}} and {@code ${file:PATH:KEY}}.
 *
 * @see <a href="https://github.com/apache/felix-dev/tree/master/configadmin-plugins/interpolation">the syntax of Felix's interpolation plugin</a>
 */
public final class ReferenceResolver {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\[(\\w+):([^\\];]+)(?:;default=([^\\]]*))?]|\\$\\{(\\w+):([^}]+)}");

    private final UnaryOperator<String> environment;
    private final UnaryOperator<String> properties;
    private final Path secrets;

    /** @param secrets the folder that holds one file for each secret */
    public ReferenceResolver(UnaryOperator<String> environment, UnaryOperator<String> properties, Path secrets) {
        this.environment = Objects.requireNonNull(environment, "environment");
        this.properties = Objects.requireNonNull(properties, "properties");
        this.secrets = Objects.requireNonNull(secrets, "secrets");
    }

    /**
     * The configuration with every reference resolved.
     *
     * @throws SluiceException INVALID_CONFIGURATION naming the key and the reference, never a value
     */
    public Map<String, String> resolve(Map<String, String> config) {
        Map<String, String> resolved = new LinkedHashMap<>();
        config.forEach((key, value) -> resolved.put(key, value.indexOf('$') < 0 ? value : resolve(key, value)));
        return resolved;
    }

    private String resolve(String key, String value) {
        Matcher matcher = REFERENCE.matcher(value);
        StringBuilder text = new StringBuilder();
        while (matcher.find()) {
            boolean felix = matcher.group(1) != null;
            String found = felix ? lookUp(matcher.group(1), matcher.group(2)) : lookUpKafka(matcher.group(4), matcher.group(5));
            if (found == null) {
                found = matcher.group(3);
            }
            if (found == null) {
                throw new SluiceException(ErrorCode.INVALID_CONFIGURATION, "'" + key + "' refers to " + matcher.group()
                    + ", which this worker does not know; set it, or correct the reference");
            }
            matcher.appendReplacement(text, Matcher.quoteReplacement(found));
        }
        return matcher.appendTail(text).toString();
    }

    private String lookUp(String kind, String name) {
        return switch (kind) {
            case "env" -> environment.apply(name);
            case "prop" -> properties.apply(name);
            case "secret" -> secret(name);
            default -> null;
        };
    }

    private String lookUpKafka(String kind, String name) {
        return switch (kind) {
            case "env" -> environment.apply(name);
            case "file" -> fromFile(name);
            default -> null;
        };
    }

    private String secret(String name) {
        Path file = secrets.resolve(name).normalize();
        if (!file.startsWith(secrets) || !Files.isReadable(file)) {
            return null;
        }
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private String fromFile(String pathAndKey) {
        int colon = pathAndKey.lastIndexOf(':');
        Path file = colon < 0 ? null : Path.of(pathAndKey.substring(0, colon));
        if (file == null || !Files.isReadable(file)) {
            return null;
        }
        Properties content = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            content.load(reader);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        return content.getProperty(pathAndKey.substring(colon + 1));
    }

    private static SluiceException unreadable(Path file, IOException cause) {
        return new SluiceException(ErrorCode.INVALID_CONFIGURATION, "cannot read " + file + " to resolve a reference: " + cause, cause);
    }
}
