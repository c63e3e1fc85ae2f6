package io.sluice.converter.json;

import io.openmessaging.connector.api.data.FieldType;
import java.util.Optional;

/** The words of the envelope. */
final class SchemaNames {

    static final String SCHEMA = "schema";
    static final String PAYLOAD = "payload";
    static final String TYPE = "type";
    static final String OPTIONAL = "optional";
    static final String NAME = "name";
    static final String VERSION = "version";
    static final String DOC = "doc";
    static final String PARAMETERS = "parameters";
    static final String DEFAULT = "default";
    static final String ITEMS = "items";
    static final String KEYS = "keys";
    static final String VALUES = "values";
    static final String FIELDS = "fields";
    static final String FIELD = "field";

    private SchemaNames() {
    }

    static String typeName(FieldType type) {
        return switch (type) {
            case BOOLEAN -> "boolean";
            case INT8 -> "int8";
            case INT16 -> "int16";
            case INT32 -> "int32";
            case INT64, DATETIME -> "int64";
            case FLOAT32 -> "float";
            case FLOAT64 -> "double";
            case STRING -> "string";
            case BYTES -> "bytes";
            case ARRAY -> "array";
            case MAP -> "map";
            case STRUCT -> "struct";
        };
    }

    static Optional<FieldType> type(String name) {
        return Optional.ofNullable(switch (name) {
            case "boolean" -> FieldType.BOOLEAN;
            case "int8" -> FieldType.INT8;
            case "int16" -> FieldType.INT16;
            case "int32" -> FieldType.INT32;
            case "int64" -> FieldType.INT64;
            case "float" -> FieldType.FLOAT32;
            case "double" -> FieldType.FLOAT64;
            case "string" -> FieldType.STRING;
            case "bytes" -> FieldType.BYTES;
            case "array" -> FieldType.ARRAY;
            case "map" -> FieldType.MAP;
            case "struct" -> FieldType.STRUCT;
            default -> null;
        });
    }
}
