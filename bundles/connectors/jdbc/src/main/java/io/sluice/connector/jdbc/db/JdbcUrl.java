package io.sluice.connector.jdbc.db;

import java.util.Locale;
import java.util.regex.Pattern;

/** What can be told of a JDBC URL without its driver. */
public final class JdbcUrl {

    private static final String PREFIX = "jdbc:";
    /** Passwords as PostgreSQL, MySQL, H2, Derby and SQL Server write them, and before the at sign of an authority. */
    private static final Pattern SECRET = Pattern.compile("(?i)((?:password|passwd|pwd|secret|token)\\w*\\s*=)[^&;,\\s]*|(//[^/@:\\s]+:)[^/\\s]*(?=@)");

    private JdbcUrl() {
    }

    /** True if it has the form {@code jdbc:subprotocol:...}. */
    public static boolean isJdbc(String url) {
        return !subprotocol(url).isEmpty();
    }

    /** The word that names the driver, in lower case: {@code postgresql} of {@code jdbc:postgresql://...}; empty if there is none. */
    public static String subprotocol(String url) {
        String trimmed = url.trim();
        if (!trimmed.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
            return "";
        }
        int end = trimmed.indexOf(':', PREFIX.length());
        return end < 0 ? "" : trimmed.substring(PREFIX.length(), end).toLowerCase(Locale.ROOT);
    }

    /** The URL for a log or a message: without what looks like a password. */
    public static String masked(String url) {
        return SECRET.matcher(url).replaceAll(found -> (found.group(1) != null ? found.group(1) : found.group(2)) + "***");
    }
}
