package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.openmessaging.connector.api.data.Schema;
import java.io.IOException;

/**
 * Writes and reads the values of one schema. Made once per schema and then only used, so that nothing about the schema is asked for
 * each record. Thread-safe.
 */
abstract class Codec {

    private final boolean optional;
    private final Object instead;

    /** @param replaceNull whether the default stands for null even where null is allowed */
    Codec(Schema schema, boolean replaceNull) {
        this.optional = schema.isOptional();
        this.instead = replaceNull || !optional ? schema.getDefaultValue() : null;
    }

    /** @throws DataProblem if the value does not fit the schema */
    final void write(JsonGenerator out, Object value) throws IOException {
        Object present = value == null ? instead : value;
        if (present != null) {
            writeValue(out, present);
        } else if (optional) {
            out.writeNull();
        } else {
            throw missing();
        }
    }

    /**
     * Reads the value whose first token is the parser's current one, and leaves the parser at its last.
     *
     * @throws DataProblem if the JSON does not fit the schema
     */
    final Object read(JsonParser in) throws IOException {
        return in.currentToken() == JsonToken.VALUE_NULL ? readNull() : readValue(in);
    }

    /** What null, or nothing at all, is read as. */
    final Object readNull() {
        if (instead == null && !optional) {
            throw missing();
        }
        return instead;
    }

    private DataProblem missing() {
        return new DataProblem("expected " + what() + ", found null, and it is neither optional nor has it a default");
    }

    /** What a right value is, for messages. */
    abstract String what();

    /** @param value not null */
    abstract void writeValue(JsonGenerator out, Object value) throws IOException;

    /** Reads the value whose first token is the parser's current one; that is never null. */
    abstract Object readValue(JsonParser in) throws IOException;
}
