package io.sluice.core.definition;

/** Values in LDAP filters. */
final class Filters {

    private Filters() {
    }

    /** {@code value} with the characters escaped that mean something in a filter. */
    static String escape(String value) {
        StringBuilder text = new StringBuilder(value.length());
        value.chars().forEach(c -> {
            if (c == '\\' || c == '*' || c == '(' || c == ')') {
                text.append('\\');
            }
            text.append((char) c);
        });
        return text.toString();
    }
}
