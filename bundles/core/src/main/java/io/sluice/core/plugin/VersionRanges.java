package io.sluice.core.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.osgi.framework.Version;
import org.osgi.framework.VersionRange;

/**
 * Which versions of a plugin a configuration accepts, in the notation of Maven, which contains that of OSGi: {@code [1.2,2)},
 * {@code (,2.0]}, {@code [1.2,)}, {@code [1.2]}, several with commas between them, {@code latest} for any. A plain version means exactly that
 * one, as users of Kafka Connect's {@code connector.plugin.version} expect.
 *
 * @param ranges at least one
 */
record VersionRanges(List<VersionRange> ranges) {

    private static final String ANY = "latest";
    private static final Pattern RANGE = Pattern.compile("([\\[(])([^\\[\\](),]*)(?:(,)([^\\[\\](),]*))?([\\])])");
    private static final Pattern VERSION = Pattern.compile("(\\d+)(?:\\.(\\d+)(?:\\.(\\d+)(?:\\.([\\w-]+))?)?)?(?:-([\\w-]+))?");
    private static final Pattern COMMA = Pattern.compile("\\s*,\\s*(?=[\\[(])");

    /** @throws IllegalArgumentException if the text is not a range */
    static VersionRanges of(String text) {
        String trimmed = text.trim();
        if (trimmed.equalsIgnoreCase(ANY)) {
            return new VersionRanges(List.of(new VersionRange(VersionRange.LEFT_CLOSED, Version.emptyVersion, null, VersionRange.RIGHT_OPEN)));
        }
        if (!trimmed.startsWith("[") && !trimmed.startsWith("(")) {
            return new VersionRanges(List.of(exactly(version(trimmed, text))));
        }
        List<VersionRange> ranges = new ArrayList<>();
        Matcher range = RANGE.matcher(trimmed);
        Matcher comma = COMMA.matcher(trimmed);
        int at = 0;
        while (range.region(at, trimmed.length()).lookingAt()) {
            ranges.add(range(range, text));
            if (range.end() == trimmed.length()) {
                return new VersionRanges(List.copyOf(ranges));
            }
            if (!comma.region(range.end(), trimmed.length()).lookingAt()) {
                break;
            }
            at = comma.end();
        }
        throw wrong(text);
    }

    private static VersionRange range(Matcher matcher, String text) {
        String low = matcher.group(2).trim();
        if (matcher.group(3) == null) {
            if (!matcher.group(1).equals("[") || !matcher.group(5).equals("]")) {
                throw wrong(text);
            }
            return exactly(version(low, text));
        }
        String high = matcher.group(4).trim();
        return new VersionRange(low.isEmpty() ? VersionRange.LEFT_CLOSED : matcher.group(1).charAt(0), low.isEmpty() ? Version.emptyVersion : version(low, text),
            high.isEmpty() ? null : version(high, text), high.isEmpty() ? VersionRange.RIGHT_OPEN : matcher.group(5).charAt(0));
    }

    private static VersionRange exactly(Version version) {
        return new VersionRange(VersionRange.LEFT_CLOSED, version, version, VersionRange.RIGHT_CLOSED);
    }

    /** Maven's {@code 1.2-rc1} is OSGi's {@code 1.2.0.rc1}. */
    private static Version version(String version, String text) {
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.matches()) {
            throw wrong(text);
        }
        try {
            return new Version(number(matcher.group(1)), number(matcher.group(2)), number(matcher.group(3)),
                matcher.group(4) != null ? matcher.group(4) : matcher.group(5));
        } catch (NumberFormatException e) {
            throw wrong(text);
        }
    }

    private static int number(String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException("'" + text + "' is not a version or a range of versions; it needs one such as 1.2.0, [1.2,2), (,2.0] or latest");
    }

    boolean includes(Version version) {
        return ranges.stream().anyMatch(range -> range.includes(version));
    }

    /** An LDAP filter that selects the same versions. */
    String filter(String property) {
        return ranges.size() == 1 ? ranges.get(0).toFilterString(property)
            : ranges.stream().map(range -> range.toFilterString(property)).collect(Collectors.joining("", "(|", ")"));
    }
}
