package io.sluice.core.plugin;

import io.sluice.spi.PluginFactory;
import io.sluice.spi.PluginKind;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.osgi.framework.Version;
import org.osgi.framework.VersionRange;

/**
 * What a configuration asks for when it names a plugin.
 *
 * @param kinds what it may be
 * @param name its class name, simple class name or alias
 * @param versionRange which versions are right, as {@code [1.2,2)}; a plain version means exactly that one; empty for any
 */
public record PluginNeed(Set<PluginKind> kinds, String name, Optional<String> versionRange) {

    /** @throws IllegalArgumentException if the version range is malformed */
    public PluginNeed {
        kinds = Set.copyOf(kinds);
        Objects.requireNonNull(name, "name");
        versionRange.ifPresent(PluginNeed::range);
    }

    /** A plain version is exactly that version, as users of Kafka Connect's {@code connector.plugin.version} and of Maven's ranges expect. */
    private static VersionRange range(String text) {
        String range = text.trim();
        return range.startsWith("[") || range.startsWith("(")
            ? VersionRange.valueOf(range)
            : new VersionRange(VersionRange.LEFT_CLOSED, Version.parseVersion(range), Version.parseVersion(range), VersionRange.RIGHT_CLOSED);
    }

    /** An LDAP filter over service properties that selects the plugins which meet the need. */
    public String filter() {
        String escaped = escape(name);
        String kindFilter = kinds.stream().sorted().map(kind -> "(" + PluginFactory.PLUGIN_KIND + "=" + kind.word() + ")").collect(Collectors.joining());
        String version = versionRange.map(text -> range(text).toFilterString(PluginFactory.PLUGIN_VERSION)).orElse("");
        return "(&(|" + kindFilter + ")(|(" + PluginFactory.PLUGIN_CLASS + "=" + escaped + ")(" + PluginFactory.PLUGIN_NAME + "=" + escaped + ")("
            + PluginFactory.PLUGIN_CLASS + "=*." + escaped + "))" + version + ")";
    }

    private static String escape(String value) {
        StringBuilder text = new StringBuilder(value.length());
        value.chars().forEach(c -> {
            if (c == '\\' || c == '*' || c == '(' || c == ')') {
                text.append('\\');
            }
            text.append((char) c);
        });
        return text.toString();
    }

    /** True if a plugin with these service properties meets the need. */
    public boolean matches(Map<String, ?> properties) {
        String className = String.valueOf(properties.get(PluginFactory.PLUGIN_CLASS));
        boolean named = name.equals(properties.get(PluginFactory.PLUGIN_NAME)) || className.equals(name) || className.endsWith("." + name);
        boolean right = PluginKind.of(String.valueOf(properties.get(PluginFactory.PLUGIN_KIND))).filter(kinds::contains).isPresent();
        return named && right
            && versionRange.map(text -> properties.get(PluginFactory.PLUGIN_VERSION) instanceof Version version && range(text).includes(version)).orElse(true);
    }

    /** How the need is called in a message. */
    public String text() {
        return name + versionRange.map(range -> " " + range).orElse("");
    }
}
