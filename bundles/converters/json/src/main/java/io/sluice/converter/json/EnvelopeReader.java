package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaAndValue;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads envelopes. Every record brings its schema along, so that reading it must cost next to nothing: what comes before the payload is
 * compared, byte by byte, with what came before the payloads of the last few records, and only if none of them is alike is it parsed.
 * Even then a schema whose text was seen before is the object that was made from it then, so that others can recognise it, too.
 *
 * <p>Thread-safe.
 */
final class EnvelopeReader {

    private static final int RECENT_PREFIXES = 4;
    private static final String ENVELOPE = "an object with the fields 'schema' and 'payload' and no others (plain JSON is read with "
        + "schemas.enable=false)";

    private final JsonFactory factory;
    private final FreeForm freeForm;
    private final Settings settings;
    private final SchemaParser schemaParser;
    private final Map<Text, Known> schemas = new LinkedHashMap<>(16, 0.75f, true);
    private volatile Prefix[] recent = {};

    EnvelopeReader(JsonFactory factory, FreeForm freeForm, Settings settings) {
        this.factory = factory;
        this.freeForm = freeForm;
        this.settings = settings;
        this.schemaParser = new SchemaParser(factory, settings);
    }

    /** A schema and what reads its payloads; both null if the envelope says that there is no schema. */
    private record Known(Schema schema, Codec codec) {

        static final Known FREE = new Known(null, null);

        Object read(JsonParser in, FreeForm freeForm) throws IOException {
            return codec == null ? freeForm.read(in) : codec.read(in);
        }
    }

    /** All of an envelope up to the first byte of its payload. */
    private record Prefix(byte[] bytes, Known known) {

        /** Only for payloads of which the parser can tell the end without looking beyond it. */
        boolean starts(byte[] document) {
            int length = bytes.length;
            return document.length > length && (document[length] == '{' || document[length] == '[')
                && Arrays.equals(document, 0, length, bytes, 0, length);
        }
    }

    private record Text(byte[] bytes, int hash) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Text text && Arrays.equals(bytes, text.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** @throws DataProblem if it is not an envelope or the payload does not fit the schema */
    SchemaAndValue read(byte[] document) throws IOException {
        Prefix prefix = knownStart(document);
        if (prefix != null) {
            int start = prefix.bytes.length;
            try (JsonParser in = factory.createParser(document, start, document.length - start)) {
                in.nextToken();
                Object value = prefix.known.read(in, freeForm);
                if (closes(document, start + (int) in.currentLocation().getByteOffset())) {
                    return new SchemaAndValue(prefix.known.schema, value);
                }
            } catch (JsonProcessingException e) {
                // It is broken; where, counted from the start of the document, is found below.
                return readWhole(document);
            }
        }
        return readWhole(document);
    }

    private Prefix knownStart(byte[] document) {
        Prefix[] candidates = recent;
        for (int i = 0; i < candidates.length; i++) {
            if (candidates[i].starts(document)) {
                if (i > 0) {
                    remember(candidates[i], candidates, i);
                }
                return candidates[i];
            }
        }
        return null;
    }

    /** True if the one brace and no more than blanks follow. */
    private static boolean closes(byte[] document, int from) {
        int braces = 0;
        for (int i = from; i < document.length; i++) {
            switch (document[i]) {
                case ' ', '\t', '\r', '\n' -> {
                }
                case '}' -> braces++;
                default -> {
                    return false;
                }
            }
        }
        return braces == 1;
    }

    private SchemaAndValue readWhole(byte[] document) throws IOException {
        Known known = null;
        Object value = null;
        boolean payloadSeen = false;
        int payloadStart = -1;
        try (JsonParser in = factory.createParser(document)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw DataProblem.expected(ENVELOPE, in.currentToken());
            }
            for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
                in.nextToken();
                if (name.equals(SchemaNames.SCHEMA) && known == null) {
                    known = known(in, document);
                } else if (name.equals(SchemaNames.PAYLOAD) && !payloadSeen) {
                    payloadSeen = true;
                    if (known == null) {
                        in.skipChildren();
                    } else {
                        payloadStart = (int) in.currentTokenLocation().getByteOffset();
                        value = known.read(in, freeForm);
                    }
                } else {
                    throw new DataProblem("expected " + ENVELOPE + ", found another field or one of them twice");
                }
            }
            expectEnd(in);
        } catch (JsonProcessingException e) {
            throw DataProblem.syntax(e).insideEnvelope();
        }
        if (known == null || !payloadSeen) {
            throw new DataProblem("expected " + ENVELOPE + ", found " + (payloadSeen ? "no schema" : "no payload"));
        }
        if (payloadStart < 0) {
            value = readPayloadOnly(document, known);
        } else if (document[payloadStart] == '{' || document[payloadStart] == '[') {
            remember(new Prefix(Arrays.copyOf(document, payloadStart), known), recent, RECENT_PREFIXES - 1);
        }
        return new SchemaAndValue(known.schema, value);
    }

    /** The payload of an envelope that has its schema behind it. */
    private Object readPayloadOnly(byte[] document, Known known) throws IOException {
        try (JsonParser in = factory.createParser(document)) {
            in.nextToken();
            while (!in.nextFieldName().equals(SchemaNames.PAYLOAD)) {
                in.nextToken();
                in.skipChildren();
            }
            in.nextToken();
            return known.read(in, freeForm);
        }
    }

    private Known known(JsonParser in, byte[] document) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_NULL) {
            return Known.FREE;
        }
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw DataProblem.expected("a schema as an object, or null", in.currentToken()).inSchema();
        }
        byte[] json = SchemaParser.slice(in, document);
        Text text = new Text(json, Arrays.hashCode(json));
        synchronized (schemas) {
            Known known = schemas.get(text);
            if (known != null) {
                return known;
            }
        }
        Known known = parse(json);
        synchronized (schemas) {
            Known first = schemas.putIfAbsent(text, known);
            if (schemas.size() > settings.cacheSize()) {
                schemas.remove(schemas.keySet().iterator().next());
            }
            return first == null ? known : first;
        }
    }

    private Known parse(byte[] json) throws IOException {
        try {
            Schema schema = schemaParser.parse(json);
            return new Known(schema, Codecs.of(schema, settings));
        } catch (DataProblem e) {
            throw e.inSchema();
        } catch (JsonProcessingException e) {
            throw DataProblem.syntax(e).inSchema();
        }
    }

    /** Puts {@code prefix} in front and drops what is at {@code dropped}; a race loses at most a prefix, which then comes again. */
    private void remember(Prefix prefix, Prefix[] known, int dropped) {
        Prefix[] next = new Prefix[Math.min(known.length + (dropped >= known.length ? 1 : 0), RECENT_PREFIXES)];
        next[0] = prefix;
        int at = 1;
        for (int i = 0; i < known.length && at < next.length; i++) {
            if (i != dropped) {
                next[at++] = known[i];
            }
        }
        recent = next;
    }

    static void expectEnd(JsonParser in) throws IOException {
        if (in.nextToken() != null) {
            throw new DataProblem("expected the end of the document, found more");
        }
    }
}
