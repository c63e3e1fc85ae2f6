package io.sluice.connector.jdbc.db;

import io.openmessaging.KeyValue;
import io.sluice.spi.config.Config;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * How to connect. The text form shows no secret.
 *
 * @param url the JDBC URL
 * @param user the user's name; empty if the URL or the database needs none
 * @param password the password; empty likewise
 * @param properties further properties for the driver, as given
 * @param attempts how often to try before a failure is told, at least 1
 * @param backoff how long to wait after the first failure; each further wait is twice as long, up to 32 times this
 * @param timeout how long one attempt may take
 */
public record ConnectionSettings(String url, String user, String password, Map<String, String> properties, int attempts, Duration backoff,
                                 Duration timeout) {

    public static final String URL = "connection.url";
    public static final String USER = "connection.user";
    public static final String PASSWORD = "connection.password";
    /** What begins a key whose rest is the name of a property for the driver. */
    public static final String PROPERTY_PREFIX = "connection.property.";

    public static final int ATTEMPTS = 3;
    public static final long BACKOFF_MS = 1_000;
    public static final long TIMEOUT_MS = 10_000;

    public ConnectionSettings {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
        properties = Map.copyOf(properties);
        if (attempts < 1) {
            throw new IllegalArgumentException("at least one attempt is needed, not " + attempts);
        }
        Objects.requireNonNull(backoff, "backoff");
        Objects.requireNonNull(timeout, "timeout");
    }

    /** From the keys of a connector or task. */
    public static ConnectionSettings of(KeyValue config) {
        return of(Config.toMap(config));
    }

    /** From the keys of a connector or task. */
    public static ConnectionSettings of(Map<String, String> config) {
        ConnectionKeys keys = Config.of(config, ConnectionKeys.class);
        Map<String, String> properties = new LinkedHashMap<>();
        config.forEach((key, value) -> {
            if (key.startsWith(PROPERTY_PREFIX) && key.length() > PROPERTY_PREFIX.length() && value != null) {
                properties.put(key.substring(PROPERTY_PREFIX.length()), value);
            }
        });
        return new ConnectionSettings(keys.connection_url().trim(), keys.connection_user(), keys.connection_password(), properties,
            Math.max(1, keys.connection_attempts()), Duration.ofMillis(Math.max(0, keys.connection_backoff_ms())),
            Duration.ofMillis(Math.max(1, keys.connection_timeout_ms())));
    }

    /** With a property for the driver, unless it is given already, here or in the URL. */
    public ConnectionSettings withDefault(String property, String value) {
        boolean inUrl = url.toLowerCase(Locale.ROOT).contains(property.toLowerCase(Locale.ROOT) + "=");
        if (inUrl || properties.keySet().stream().anyMatch(property::equalsIgnoreCase)) {
            return this;
        }
        Map<String, String> more = new LinkedHashMap<>(properties);
        more.put(property, value);
        return new ConnectionSettings(url, user, password, more, attempts, backoff, timeout);
    }

    /** What the driver is given beside the URL. */
    Properties driverProperties() {
        Properties all = new Properties();
        all.putAll(properties);
        if (!user.isEmpty()) {
            all.setProperty("user", user);
        }
        if (!password.isEmpty()) {
            all.setProperty("password", password);
        }
        return all;
    }

    @Override
    public String toString() {
        return JdbcUrl.masked(url) + (user.isEmpty() ? "" : " as " + user);
    }
}
