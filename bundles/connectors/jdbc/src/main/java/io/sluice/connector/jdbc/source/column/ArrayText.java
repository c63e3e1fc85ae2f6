package io.sluice.connector.jdbc.source.column;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads PostgreSQL's text of an array: {@code {1,NULL,"a \"b\""}}.
 *
 * @see <a href="https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO">Array input and output syntax</a>
 */
final class ArrayText {

    private final String text;
    private int at;

    private ArrayText(String text) {
        this.text = text;
    }

    /**
     * @param text null for none
     * @param convert makes an element of its text
     * @throws ValueProblem if the array has more than one dimension
     */
    static List<Object> parse(String text, Function<String, Object> convert) {
        return text == null ? null : new ArrayText(text).parse(convert);
    }

    private List<Object> parse(Function<String, Object> convert) {
        // Bounds stand before an array that does not begin at 1.
        at = text.indexOf('{') + 1;
        List<Object> elements = new ArrayList<>();
        if (text.charAt(at) == '}') {
            return elements;
        }
        while (true) {
            char c = text.charAt(at);
            if (c == '{') {
                throw new ValueProblem("an array of several dimensions has no counterpart in a record; cast the column to text by a 'query'");
            }
            if (c == '"') {
                elements.add(convert.apply(quoted()));
            } else {
                String plain = plain();
                elements.add(plain.equals("NULL") ? null : convert.apply(plain));
            }
            if (text.charAt(at++) == '}') {
                return elements;
            }
        }
    }

    private String plain() {
        int from = at;
        while (text.charAt(at) != ',' && text.charAt(at) != '}') {
            at++;
        }
        return text.substring(from, at);
    }

    private String quoted() {
        StringBuilder element = new StringBuilder();
        at++;
        while (text.charAt(at) != '"') {
            if (text.charAt(at) == '\\') {
                at++;
            }
            element.append(text.charAt(at++));
        }
        at++;
        return element.toString();
    }
}
