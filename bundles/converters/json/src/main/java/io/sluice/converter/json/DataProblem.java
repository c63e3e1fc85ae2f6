package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;

/**
 * A value that does not fit, thrown where that is noticed. On its way up each level adds its step to the path, so that nothing has to
 * be kept for it as long as all is well. Says of which kind the offending value is, never the value itself: records may hold secrets.
 */
final class DataProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int LONGEST_NAME = 60;

    private final StringBuilder path = new StringBuilder();

    DataProblem(String message) {
        this(message, null);
    }

    DataProblem(String message, Throwable cause) {
        // No trace of its own: it is always wrapped by the ConnectException that reports it.
        super(message, cause, false, false);
    }

    static DataProblem expected(String what, Object found) {
        return new DataProblem("expected " + what + ", found " + (found == null ? "null" : "a " + found.getClass().getName()));
    }

    static DataProblem expected(String what, JsonToken found) {
        return new DataProblem("expected " + what + ", found " + kind(found));
    }

    /** JSON that is broken; the parser knows the way to where it is. */
    static DataProblem syntax(JsonProcessingException cause) {
        String where = cause.getLocation() == null ? "" : " at byte " + cause.getLocation().getByteOffset();
        DataProblem problem = new DataProblem("expected JSON, but it is broken" + where + ": " + cause.getOriginalMessage(), cause);
        if (cause.getProcessor() instanceof JsonParser parser) {
            problem.below(parser.getParsingContext());
        }
        return problem;
    }

    /** A value that the generator refuses; it knows the way to it. */
    static DataProblem unwritable(JsonProcessingException cause) {
        DataProblem problem = new DataProblem("expected a value that JSON can hold: " + cause.getOriginalMessage(), cause);
        if (cause.getProcessor() instanceof JsonGenerator generator) {
            problem.below(generator.getOutputContext());
        }
        return problem;
    }

    private void below(JsonStreamContext innermost) {
        for (JsonStreamContext context = innermost; context != null; context = context.getParent()) {
            if (context.inArray() && context.hasCurrentIndex()) {
                at(context.getCurrentIndex());
            } else if (context.inObject() && context.hasCurrentName()) {
                in(context.getCurrentName());
            }
        }
    }

    /** Takes the step from the envelope into its schema or payload off the front of the path. */
    DataProblem insideEnvelope() {
        if (path.indexOf("." + SchemaNames.PAYLOAD) == 0) {
            path.delete(0, SchemaNames.PAYLOAD.length() + 1);
        } else if (path.indexOf("." + SchemaNames.SCHEMA) == 0) {
            path.delete(0, SchemaNames.SCHEMA.length() + 1);
            inSchema();
        }
        return this;
    }

    /** Adds the field in which the problem lies. */
    DataProblem in(String field) {
        path.insert(0, "." + shorten(field));
        return this;
    }

    /** Adds the element in which the problem lies. */
    DataProblem at(int index) {
        path.insert(0, "[" + index + "]");
        return this;
    }

    /** Adds the map entry in whose value the problem lies. */
    DataProblem under(Object key) {
        path.insert(0, "[" + (key instanceof String text ? "\"" + shorten(text) + "\"" : "?") + "]");
        return this;
    }

    /** Tells that the path so far leads through the schema and not through the value. */
    DataProblem inSchema() {
        path.insert(0, " (schema)");
        return this;
    }

    /** The way to the value, from the outermost one: {@code .address.lines[2]}; empty if it is the outermost one itself. */
    String path() {
        return path.toString();
    }

    private static String shorten(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "...";
    }

    private static String kind(JsonToken token) {
        if (token == null) {
            return "the end of the document";
        }
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT -> "a whole number";
            case VALUE_NUMBER_FLOAT -> "a number with a fraction or exponent";
            case VALUE_TRUE, VALUE_FALSE -> "a boolean";
            case VALUE_NULL -> "null";
            default -> token.toString();
        };
    }
}
