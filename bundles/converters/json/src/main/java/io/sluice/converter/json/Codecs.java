package io.sluice.converter.json;

import io.openmessaging.connector.api.data.Schema;
import java.util.Optional;

/** Makes the codec for a schema and all that it is made of. */
final class Codecs {

    private Codecs() {
    }

    /** @throws DataProblem if the schema is not whole, with the path to where it is not */
    static Codec of(Schema schema, Settings settings) {
        if (schema == null || schema.getFieldType() == null) {
            throw new DataProblem("expected a schema with a type, found none");
        }
        Optional<LogicalType> logical = LogicalType.of(schema.getFieldType(), schema.getName());
        if (logical.isPresent()) {
            return LogicalCodec.of(logical.get(), schema, settings);
        }
        boolean replaceNull = settings.replaceNull();
        return switch (schema.getFieldType()) {
            case BOOLEAN -> new ScalarCodec.OfBoolean(schema, replaceNull);
            case INT8 -> new ScalarCodec.OfInteger(schema, replaceNull, Byte.SIZE);
            case INT16 -> new ScalarCodec.OfInteger(schema, replaceNull, Short.SIZE);
            case INT32 -> new ScalarCodec.OfInteger(schema, replaceNull, Integer.SIZE);
            case INT64 -> new ScalarCodec.OfInteger(schema, replaceNull, Long.SIZE);
            case FLOAT32 -> new ScalarCodec.OfFloat(schema, replaceNull);
            case FLOAT64 -> new ScalarCodec.OfDouble(schema, replaceNull);
            case STRING -> new ScalarCodec.OfString(schema, replaceNull);
            case BYTES -> new ScalarCodec.OfBytes(schema, replaceNull);
            case ARRAY -> new ArrayCodec(schema, settings);
            case MAP -> new MapCodec(schema, settings);
            case STRUCT -> new StructCodec(schema, settings);
            // No reader of the envelope knows this type; it is written as the timestamp that it is.
            case DATETIME -> LogicalCodec.of(LogicalType.TIMESTAMP, schema, settings);
        };
    }
}
