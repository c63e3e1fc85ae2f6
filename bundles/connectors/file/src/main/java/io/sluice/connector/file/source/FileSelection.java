package io.sluice.connector.file.source;

import io.sluice.connector.file.FileSourceConfig;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which files a configuration means: single paths and globs. Immutable; two of the same configuration mean the same files.
 *
 * <p>Files are shared out by what they were called before any rotation, so that all that rotated from one file is one task's.
 */
public final class FileSelection {

    private static final String META = "*?[{";
    private static final int ANY_DEPTH = 64;

    /** A file that matches a glob. */
    record Found(Path path, BasicFileAttributes attributes) {
    }

    private record Glob(Path root, int depth, PathMatcher matcher) {
    }

    private record Exclusion(PathMatcher matcher, boolean wholePath) {
        boolean excludes(Path path) {
            return matcher.matches(wholePath ? path : path.getFileName());
        }
    }

    private final List<Path> literals;
    private final List<Glob> globs;
    private final List<Exclusion> exclusions;

    /** @throws java.util.regex.PatternSyntaxException if a glob is malformed */
    public FileSelection(FileSourceConfig config) {
        Set<Path> paths = new LinkedHashSet<>();
        List<Glob> patterns = new ArrayList<>();
        if (!config.file().isBlank()) {
            paths.add(absolute(config.file().trim()));
        }
        for (String entry : split(config.files())) {
            if (hasMeta(entry)) {
                patterns.add(glob(entry));
            } else {
                paths.add(absolute(unescape(entry)));
            }
        }
        literals = List.copyOf(paths);
        globs = List.copyOf(patterns);
        exclusions = Arrays.stream(config.files_exclude())
            .map(pattern -> new Exclusion(FileSystems.getDefault().getPathMatcher("glob:" + pattern), pattern.contains("/"))).toList();
    }

    /** The single paths, absolute. */
    public List<Path> literals() {
        return literals;
    }

    public boolean hasGlobs() {
        return !globs.isEmpty();
    }

    /** How many tasks can have work: unbounded as long as files may come. */
    public int maxShares() {
        return hasGlobs() ? Integer.MAX_VALUE : (int) literals.stream().map(FileSelection::family).distinct().count();
    }

    /** The single paths that are the share of task {@code index} of {@code count}. */
    List<Path> literals(int index, int count) {
        Map<String, List<Path>> families = new TreeMap<>();
        literals.forEach(path -> families.computeIfAbsent(family(path), name -> new ArrayList<>()).add(path));
        List<Path> share = new ArrayList<>();
        int number = 0;
        for (Map.Entry<String, List<Path>> family : families.entrySet()) {
            // Beside globs the hash decides, since a glob may match a file of the same family.
            int owner = hasGlobs() ? owner(family.getKey(), count) : number++ % count;
            if (owner == index) {
                share.addAll(family.getValue());
            }
        }
        return share;
    }

    /** The files that match a glob now and are the share of a task, from the one changed longest ago on. */
    List<Found> scan(int index, int count) throws IOException {
        List<Found> found = new ArrayList<>();
        Set<Path> seen = new LinkedHashSet<>(literals);
        for (Glob glob : globs) {
            Files.walkFileTree(glob.root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), glob.depth, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                    boolean wanted = attributes.isRegularFile() && glob.matcher.matches(path) && !isExcluded(path)
                        && owner(family(path), count) == index;
                    if (wanted && seen.add(path)) {
                        found.add(new Found(path, attributes));
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path path, IOException failure) {
                    // Gone since, a loop of links, or a directory that may not be read: nothing to find there now, and looked at again soon.
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failure) {
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        found.sort(Comparator.comparing((Found file) -> file.attributes().lastModifiedTime()).thenComparing(Found::path));
        return found;
    }

    /** True if a file at this path is read for its own sake. */
    boolean includes(Path path) {
        return literals.contains(path) || globs.stream().anyMatch(glob -> glob.matcher.matches(path)) && !isExcluded(path);
    }

    /** The path that the file had before it was rotated; {@code path} itself if that cannot be told. */
    static Path original(Path path) {
        return path.resolveSibling(RotatedNames.original(path.getFileName().toString()));
    }

    private boolean isExcluded(Path path) {
        return exclusions.stream().anyMatch(exclusion -> exclusion.excludes(path));
    }

    private static String family(Path path) {
        return original(path).toString();
    }

    private static int owner(String family, int count) {
        int hash = family.hashCode();
        return Math.floorMod(hash ^ hash >>> 16, count);
    }

    private static Path absolute(String path) {
        return Path.of(path).toAbsolutePath().normalize();
    }

    private static Glob glob(String entry) {
        String[] segments = entry.split("/");
        int first = 0;
        while (!hasMeta(segments[first])) {
            first++;
        }
        String fixed = unescape(String.join("/", List.of(segments).subList(0, first)));
        Path root = absolute(fixed.isEmpty() && entry.startsWith("/") ? "/" : fixed);
        String rest = String.join("/", List.of(segments).subList(first, segments.length));
        String prefix = root.toString().endsWith("/") ? root.toString() : root + "/";
        int depth = rest.contains("**") ? ANY_DEPTH : segments.length - first;
        return new Glob(root, depth, FileSystems.getDefault().getPathMatcher("glob:" + escape(prefix) + rest));
    }

    private static boolean hasMeta(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (META.indexOf(text.charAt(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    private static String unescape(String text) {
        return text.replaceAll("\\\\(.)", "$1");
    }

    private static String escape(String text) {
        return text.replaceAll("[\\\\*?\\[\\]{}]", "\\\\$0");
    }

    /** Splits at commas that are neither between braces nor escaped. */
    static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        int braces = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                part.append(c).append(text.charAt(++i));
                continue;
            }
            braces += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ',' && braces <= 0) {
                parts.add(part.toString().trim());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString().trim());
        return parts.stream().filter(entry -> !entry.isEmpty()).toList();
    }
}
