package io.sluice.connector.file.sink;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path with places for the topic and the task's number. Both {@code ${topic}} and {@code {topic}} are understood, since some ways of
 * storing a configuration replace the former themselves.
 */
public final class PathTemplate {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$?\\{(\\w+)}");
    private static final Set<String> NAMES = Set.of("topic", "task");

    private final String template;

    public PathTemplate(String template) {
        this.template = template.trim();
    }

    @Override
    public String toString() {
        return template;
    }

    /** The first placeholder that is none of ours. */
    public Optional<String> unknownPlaceholder() {
        return PLACEHOLDER.matcher(template).results().filter(match -> !NAMES.contains(match.group(1))).map(match -> match.group()).findFirst();
    }

    /** True if records of different topics go to different files. */
    public boolean namesTopic() {
        return names("topic");
    }

    private boolean names(String name) {
        return PLACEHOLDER.matcher(template).results().anyMatch(match -> match.group(1).equals(name));
    }

    /** The absolute path; a topic cannot lead out of the directory that the template names. */
    public Path resolve(String topic, int task) {
        Matcher matcher = PLACEHOLDER.matcher(template);
        String path = matcher.replaceAll(match -> Matcher.quoteReplacement(switch (match.group(1)) {
            case "topic" -> safe(topic);
            case "task" -> Integer.toString(task);
            default -> match.group();
        }));
        return Path.of(path).toAbsolutePath().normalize();
    }

    private static String safe(String topic) {
        String name = topic.replaceAll("[/\\\\\\p{Cntrl}]", "_");
        return name.equals(".") || name.equals("..") ? "_" : name;
    }

    /** The template with a place for the task's number, put before the extension if it has none. */
    public static String withTask(String template) {
        if (new PathTemplate(template).names("task")) {
            return template;
        }
        int slash = template.lastIndexOf('/');
        int dot = template.lastIndexOf('.');
        int at = dot > slash + 1 && template.indexOf('}', dot) < 0 ? dot : template.length();
        return template.substring(0, at) + "-${task}" + template.substring(at);
    }
}
