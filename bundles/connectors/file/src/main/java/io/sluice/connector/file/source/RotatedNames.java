package io.sluice.connector.file.source;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names that programs give to a file when they rotate it: {@code app.log.1}, {@code app.log-20261201}, {@code app.log.old} (as logrotate
 * does), {@code app-1.log}, {@code app-2026-12-01-3.log} (as log4j2 and logback do), and both together.
 */
final class RotatedNames {

    private static final String TOKEN = "[-._]\\d[\\dTZ:._-]*";
    private static final Pattern SUFFIX = Pattern.compile("(.+?)(?:" + TOKEN + "|\\.old)");
    private static final Pattern STEM = Pattern.compile("(.+?)" + TOKEN);
    private static final Pattern LAST_NUMBER = Pattern.compile("(.*?)(\\d+)\\D*");
    /** Numbers from here on are dates or times, which grow. */
    private static final long DATE = 100_000;

    private final String name;
    private final Pattern rotated;

    /** The rotated names of the file {@code name}. */
    RotatedNames(String name) {
        this.name = name;
        int dot = name.lastIndexOf('.');
        String stem = dot > 0 ? name.substring(0, dot) : name;
        String extension = dot > 0 ? name.substring(dot) : "";
        rotated = Pattern.compile(Pattern.quote(stem) + "((?:" + TOKEN + ")?)" + Pattern.quote(extension) + "((?:" + TOKEN + "|\\.old)?)");
    }

    boolean matches(String candidate) {
        return !candidate.equals(name) && rotated.matcher(candidate).matches();
    }

    /** The name that a file had before it got the rotated name {@code name}; {@code name} itself if it is no rotated name. */
    static String original(String name) {
        Matcher suffix = SUFFIX.matcher(name);
        String rest = suffix.matches() ? suffix.group(1) : name;
        int dot = rest.lastIndexOf('.');
        if (dot > 0) {
            Matcher stem = STEM.matcher(rest.substring(0, dot));
            if (stem.matches()) {
                rest = stem.group(1) + rest.substring(dot);
            }
        }
        return rest.equals(name) ? name : original(rest);
    }

    /** Orders rotated files of this name from the oldest on: by the time of their last change and, where that is the same, by the number in the name. */
    Comparator<Sibling> oldestFirst(List<Sibling> all) {
        boolean growing = numbersGrow(all);
        Comparator<Sibling> byNumber = Comparator.comparing(this::textBeforeNumber).thenComparing((a, b) -> {
            long left = number(a);
            long right = number(b);
            return growing || left >= DATE || right >= DATE ? Long.compare(left, right) : Long.compare(right, left);
        });
        return Comparator.comparing(Sibling::modified).thenComparing(byNumber);
    }

    /** Whether a later rotated file has a higher number: told from files that were not changed at the same time, else from the form of the names. */
    private boolean numbersGrow(List<Sibling> all) {
        int up = 0;
        int down = 0;
        for (Sibling a : all) {
            for (Sibling b : all) {
                if (textBeforeNumber(a).equals(textBeforeNumber(b)) && number(a) < number(b)) {
                    int order = a.modified().compareTo(b.modified());
                    up += order < 0 ? 1 : 0;
                    down += order > 0 ? 1 : 0;
                }
            }
        }
        boolean numberIsLast = all.stream().allMatch(sibling -> sibling.name().startsWith(name));
        return up != down ? up > down : !numberIsLast;
    }

    private String textBeforeNumber(Sibling sibling) {
        Matcher number = LAST_NUMBER.matcher(token(sibling));
        return number.matches() ? number.group(1) : token(sibling);
    }

    private long number(Sibling sibling) {
        Matcher number = LAST_NUMBER.matcher(token(sibling));
        try {
            return number.matches() ? Long.parseLong(number.group(2)) : 0;
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private String token(Sibling sibling) {
        Matcher matcher = rotated.matcher(sibling.name());
        return matcher.matches() ? matcher.group(1) + matcher.group(2) : sibling.name();
    }
}
