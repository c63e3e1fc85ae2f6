package io.sluice.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code etc} says about this installation, read as the worker reads it: an environment variable named after PID and key comes first,
 * then the file, in which {@code $[env:NAME;default=VALUE]} is replaced.
 */
final class Settings {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\[env:([^];]+)(?:;default=([^];]*))?[^]]*]");

    private final Path etc;
    private final Map<String, String> environment;

    Settings(Path etc, Map<String, String> environment) {
        this.etc = Objects.requireNonNull(etc, "etc");
        this.environment = Map.copyOf(environment);
    }

    static Settings here() throws Refusal {
        String etc = System.getenv("KARAF_ETC");
        if (etc == null) {
            throw new Refusal("KARAF_ETC is not set; use bin/sluice, which sets it");
        }
        return new Settings(Path.of(etc), System.getenv());
    }

    Endpoint rest() throws Refusal {
        String pid = "org.apache.felix.http";
        return endpoint("REST", pid, "org.apache.felix.http.host", "org.osgi.service.http.port", 8083, "SLUICE_HTTP_PORT");
    }

    Endpoint shell() throws Refusal {
        return endpoint("the shell", "org.apache.karaf.shell", "sshHost", "sshPort", 8101, "SLUICE_SSH_PORT");
    }

    private Endpoint endpoint(String what, String pid, String hostKey, String portKey, int port, String variable) throws Refusal {
        Path file = etc.resolve(pid + ".cfg");
        String text = value(pid, portKey, Integer.toString(port));
        try {
            return new Endpoint(what, value(pid, hostKey, "127.0.0.1"), Integer.parseInt(text), file, portKey, variable);
        } catch (NumberFormatException e) {
            throw new Refusal("'" + portKey + "' in " + file + " is '" + text + "', which is no port");
        }
    }

    private String value(String pid, String key, String otherwise) throws Refusal {
        String override = environment.get((pid + "." + key).toUpperCase(Locale.ROOT).replace('.', '_'));
        if (override != null) {
            return override.trim();
        }
        Path file = etc.resolve(pid + ".cfg");
        if (!Files.exists(file)) {
            return otherwise;
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new Refusal("cannot read " + file + ": " + e.getMessage());
        }
        return interpolate(properties.getProperty(key, otherwise)).trim();
    }

    private String interpolate(String text) {
        Matcher matcher = VARIABLE.matcher(text);
        return matcher.replaceAll(found -> {
            String value = environment.get(found.group(1));
            if (value == null) {
                value = found.group(2) == null ? "" : found.group(2);
            }
            return Matcher.quoteReplacement(value);
        });
    }

    Path passwordFile() {
        return etc.resolve("admin.password");
    }

    /** The password of the user {@code admin}. */
    String password() throws Refusal {
        try {
            return Files.readString(passwordFile()).trim();
        } catch (IOException e) {
            throw new Refusal("cannot read " + passwordFile() + "; the first start makes it, for the user alone that started Sluice");
        }
    }
}
