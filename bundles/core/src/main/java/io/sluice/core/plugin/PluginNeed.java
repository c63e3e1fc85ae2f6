package io.sluice.core.plugin;

import io.sluice.spi.PluginFactory;
import io.sluice.spi.PluginKind;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.osgi.framework.Version;

/**
 * What a configuration asks for when it names a plugin.
 *
 * @param kinds what it may be; at least one
 * @param name its class name, simple class name or alias
 * @param versionRange which versions are right, as {@link VersionRanges} reads it; empty for any
 */
public record PluginNeed(Set<PluginKind> kinds, String name, Optional<String> versionRange) {

    /** @throws IllegalArgumentException if the version range is malformed, or there is no kind */
    public PluginNeed {
        kinds = Set.copyOf(kinds);
        Objects.requireNonNull(name, "name");
        versionRange.ifPresent(VersionRanges::of);
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a need for a plugin names at least one kind");
        }
    }

    /** True if the name can be a simple class name. */
    private boolean isSimple() {
        return name.indexOf('.') < 0;
    }

    /** An LDAP filter over service properties that selects the plugins which meet the need. */
    public String filter() {
        String escaped = escape(name);
        String kindFilter = kinds.stream().sorted().map(kind -> "(" + PluginFactory.PLUGIN_KIND + "=" + kind.word() + ")").collect(Collectors.joining());
        String simple = isSimple() ? "(" + PluginFactory.PLUGIN_CLASS + "=*." + escaped + ")" : "";
        String version = versionRange.map(text -> VersionRanges.of(text).filter(PluginFactory.PLUGIN_VERSION)).orElse("");
        return "(&(|" + kindFilter + ")(|(" + PluginFactory.PLUGIN_CLASS + "=" + escaped + ")(" + PluginFactory.PLUGIN_NAME + "=" + escaped + ")" + simple
            + ")" + version + ")";
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
        boolean named = className.equals(name) || name.equals(properties.get(PluginFactory.PLUGIN_NAME))
            || isSimple() && className.endsWith("." + name);
        boolean right = kinds.stream().anyMatch(kind -> kind.word().equals(properties.get(PluginFactory.PLUGIN_KIND)));
        return named && right && versionRange.map(text -> properties.get(PluginFactory.PLUGIN_VERSION) instanceof Version version
            && VersionRanges.of(text).includes(version)).orElse(true);
    }

    /** How the need is called in a message. */
    public String text() {
        return name + versionRange.map(range -> " " + range).orElse("");
    }
}
