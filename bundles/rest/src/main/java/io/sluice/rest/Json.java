package io.sluice.rest;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.runtime.ErrorCode;
import io.sluice.runtime.SluiceException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** JSON in and out. What comes in is read strictly: a key twice, something after the end or nesting without end is refused. */
final class Json {

    static final int MAX_BODY_BYTES = 1 << 20;

    static final JsonMapper MAPPER = JsonMapper.builder(com.fasterxml.jackson.core.JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(50).build()).build())
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
        .disable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
        .build();

    private Json() {
    }

    /** Reads an object. @throws SluiceException BAD_REQUEST naming the place if it is not one */
    static ObjectNode object(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(MAX_BODY_BYTES + 1);
        if (bytes.length > MAX_BODY_BYTES) {
            throw bad("the body is larger than " + MAX_BODY_BYTES + " bytes");
        }
        if (bytes.length == 0) {
            throw bad("the body is missing; it needs a JSON object");
        }
        JsonNode node;
        try {
            node = MAPPER.readTree(bytes);
        } catch (JsonProcessingException e) {
            String place = e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
            throw bad("the body is not valid JSON: " + e.getOriginalMessage() + place);
        }
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw bad("the body needs to be a JSON object, but is " + node.getNodeType().name().toLowerCase(java.util.Locale.ROOT));
    }

    /**
     * A flat map of keys to text. Numbers and truth values are taken as their text, as Kafka Connect takes them.
     *
     * @throws SluiceException BAD_REQUEST naming the key if a value is an object, an array or null
     */
    static Map<String, String> config(ObjectNode object) {
        Map<String, String> config = new LinkedHashMap<>();
        object.properties().forEach(entry -> {
            if (!entry.getValue().isValueNode() || entry.getValue().isNull()) {
                throw bad("the value of '" + entry.getKey() + "' needs to be text, but is " + entry.getValue());
            }
            config.put(entry.getKey(), entry.getValue().asText());
        });
        return config;
    }

    static SluiceException bad(String message) {
        return new SluiceException(ErrorCode.BAD_REQUEST, "Bad Request: " + message);
    }
}
