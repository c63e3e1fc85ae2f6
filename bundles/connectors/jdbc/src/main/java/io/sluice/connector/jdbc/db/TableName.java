package io.sluice.connector.jdbc.db;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The name of a table, its parts exactly as the database keeps them.
 *
 * @param catalog the catalog; MySQL's word for it is database
 * @param schema the schema
 * @param table the name within these
 */
public record TableName(Optional<String> catalog, Optional<String> schema, String table) {

    private static final Pattern PLAIN = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$-]*");

    public TableName {
        Objects.requireNonNull(catalog, "catalog");
        Objects.requireNonNull(schema, "schema");
        Objects.requireNonNull(table, "table");
    }

    public static TableName of(String table) {
        return new TableName(Optional.empty(), Optional.empty(), table);
    }

    /** @param catalog null or empty if there is none, as JDBC metadata say it; likewise {@code schema} */
    public static TableName of(String catalog, String schema, String table) {
        return new TableName(part(catalog), part(schema), table);
    }

    private static Optional<String> part(String name) {
        return Optional.ofNullable(name).filter(text -> !text.isEmpty());
    }

    /**
     * The parts of a dotted name, the table's last: {@code orders}, {@code public.orders}, {@code "my.schema"."Orders"}. A part in double
     * quotes, backticks or brackets may hold any character; its closing quote doubled stands for itself.
     *
     * @throws IllegalArgumentException if a quote is not closed or a part is empty; the message says so
     */
    public static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int at = 0;
        while (true) {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            StringBuilder part = new StringBuilder();
            at = isQuoted(text, at) ? quotedPart(text, at, part) : plainPart(text, at, part);
            if (part.isEmpty()) {
                throw new IllegalArgumentException("'" + text + "' is no table name: a part of it is empty");
            }
            parts.add(part.toString());
            if (at == text.length()) {
                return List.copyOf(parts);
            }
            if (text.charAt(at) != '.') {
                throw new IllegalArgumentException("'" + text + "' is no table name: after a closing quote comes a dot or nothing");
            }
            at++;
        }
    }

    private static boolean isQuoted(String text, int at) {
        return at < text.length() && "\"`[".indexOf(text.charAt(at)) >= 0;
    }

    private static int plainPart(String text, int from, StringBuilder part) {
        int dot = text.indexOf('.', from);
        int end = dot < 0 ? text.length() : dot;
        part.append(text.substring(from, end).trim());
        return end;
    }

    private static int quotedPart(String text, int from, StringBuilder part) {
        char close = text.charAt(from) == '[' ? ']' : text.charAt(from);
        for (int at = from + 1; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c != close) {
                part.append(c);
            } else if (at + 1 < text.length() && text.charAt(at + 1) == close) {
                part.append(c);
                at++;
            } else {
                int next = at + 1;
                while (next < text.length() && text.charAt(next) == ' ') {
                    next++;
                }
                return next;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is no table name: a quote is not closed");
    }

    /** The parts that are there, from the catalog to the table. */
    public List<String> parts() {
        return Stream.of(catalog, schema, Optional.of(table)).flatMap(Optional::stream).toList();
    }

    /**
     * One text for each name: the parts with dots between them, a part in double quotes if it holds more than letters, digits and
     * {@code _ $ -}. {@link #split} reads it.
     */
    @Override
    public String toString() {
        return parts().stream().map(TableName::print).collect(Collectors.joining("."));
    }

    private static String print(String part) {
        return PLAIN.matcher(part).matches() ? part : '"' + part.replace("\"", "\"\"") + '"';
    }
}
