package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a schema from the form of the envelope's {@code schema} field. Attributes that it does not know are skipped. */
final class SchemaParser {

    private final JsonFactory factory;
    private final Settings settings;

    SchemaParser(JsonFactory factory, Settings settings) {
        this.factory = factory;
        this.settings = settings;
    }

    /**
     * @param json one schema in UTF-8, nothing before or after it
     * @throws DataProblem if it is none, with the path to where it is not
     */
    Schema parse(byte[] json) throws IOException {
        try (JsonParser in = factory.createParser(json)) {
            in.nextToken();
            return schema(in, json).build();
        }
    }

    /** The attributes of one schema while they are collected: they may come in any order. */
    private final class Attributes {
        private FieldType type;
        private boolean optional;
        private String name;
        private Integer version;
        private String doc;
        private Map<String, String> parameters;
        private byte[] defaultJson;
        private Schema items;
        private Schema keys;
        private Schema values;
        private List<Field> fields;
        private String field;

        Schema build() throws IOException {
            switch (type) {
                case ARRAY -> require(items, SchemaNames.ITEMS);
                case MAP -> {
                    require(keys, SchemaNames.KEYS);
                    require(values, SchemaNames.VALUES);
                }
                case STRUCT -> require(fields, SchemaNames.FIELDS);
                default -> {
                }
            }
            // Inside, logical types have OpenMessaging's names, whoever wrote them.
            String known = LogicalType.of(type, name).map(LogicalType::openMessagingName).orElse(name);
            Schema schema = new Schema(known, type, optional, null, version, doc, type == FieldType.STRUCT ? fields : null,
                type == FieldType.MAP ? keys : null, type == FieldType.MAP ? values : type == FieldType.ARRAY ? items : null, parameters);
            if (defaultJson != null) {
                schema.setDefaultValue(defaultValue(schema));
            }
            return schema;
        }

        private Object defaultValue(Schema schema) throws IOException {
            try (JsonParser in = factory.createParser(defaultJson)) {
                in.nextToken();
                return Codecs.of(schema, settings).read(in);
            } catch (DataProblem e) {
                throw e.in(SchemaNames.DEFAULT);
            }
        }

        private void require(Object attribute, String attributeName) {
            if (attribute == null) {
                throw new DataProblem("expected '" + attributeName + "' in a schema of type " + type + ", found none");
            }
        }
    }

    private Attributes schema(JsonParser in, byte[] json) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw DataProblem.expected("a schema as an object", in.currentToken());
        }
        Attributes attributes = new Attributes();
        for (String attribute = in.nextFieldName(); attribute != null; attribute = in.nextFieldName()) {
            JsonToken token = in.nextToken();
            try {
                if (token != JsonToken.VALUE_NULL) {
                    read(attribute, in, json, attributes);
                }
            } catch (DataProblem e) {
                throw e.in(attribute);
            }
        }
        if (attributes.type == null) {
            throw new DataProblem("expected a schema with a 'type', found none");
        }
        return attributes;
    }

    private void read(String attribute, JsonParser in, byte[] json, Attributes into) throws IOException {
        switch (attribute) {
            case SchemaNames.TYPE -> into.type = SchemaNames.type(text(in)).orElseThrow(() -> new DataProblem("expected one of boolean, int8, "
                + "int16, int32, int64, float, double, string, bytes, array, map, struct, found another word"));
            case SchemaNames.OPTIONAL -> into.optional = truth(in);
            case SchemaNames.NAME -> into.name = text(in);
            case SchemaNames.VERSION -> into.version = (int) Numbers.whole(in, Integer.MIN_VALUE, Integer.MAX_VALUE, "an INT32");
            case SchemaNames.DOC -> into.doc = text(in);
            case SchemaNames.PARAMETERS -> into.parameters = parameters(in);
            case SchemaNames.DEFAULT -> into.defaultJson = slice(in, json);
            case SchemaNames.ITEMS -> into.items = schema(in, json).build();
            case SchemaNames.KEYS -> into.keys = schema(in, json).build();
            case SchemaNames.VALUES -> into.values = schema(in, json).build();
            case SchemaNames.FIELDS -> into.fields = fields(in, json);
            case SchemaNames.FIELD -> into.field = text(in);
            default -> in.skipChildren();
        }
    }

    private List<Field> fields(JsonParser in, byte[] json) throws IOException {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            throw DataProblem.expected("an array of fields", in.currentToken());
        }
        List<Field> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            try {
                Attributes attributes = schema(in, json);
                if (attributes.field == null || !names.add(attributes.field)) {
                    throw new DataProblem("expected a 'field' that names it and no other, found "
                        + (attributes.field == null ? "none" : "a name that is taken"));
                }
                fields.add(new Field(fields.size(), attributes.field, attributes.build()));
            } catch (DataProblem e) {
                throw e.at(fields.size());
            }
        }
        return fields;
    }

    private static Map<String, String> parameters(JsonParser in) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw DataProblem.expected("parameters as an object", in.currentToken());
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            in.nextToken();
            try {
                parameters.put(name, text(in));
            } catch (DataProblem e) {
                throw e.in(name);
            }
        }
        return parameters;
    }

    private static String text(JsonParser in) throws IOException {
        if (in.currentToken() != JsonToken.VALUE_STRING) {
            throw DataProblem.expected("a string", in.currentToken());
        }
        return in.getText();
    }

    private static boolean truth(JsonParser in) {
        if (!in.currentToken().isBoolean()) {
            throw DataProblem.expected("true or false", in.currentToken());
        }
        return in.currentToken() == JsonToken.VALUE_TRUE;
    }

    /** The bytes of the current value; leaves the parser at its last token. */
    static byte[] slice(JsonParser in, byte[] json) throws IOException {
        int start = (int) in.currentTokenLocation().getByteOffset();
        in.skipChildren();
        in.finishToken();
        return Arrays.copyOfRange(json, start, (int) in.currentLocation().getByteOffset());
    }
}
