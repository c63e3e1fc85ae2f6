package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a schema in the form of the envelope's {@code schema} field.
 *
 * @see <a href="https://kafka.apache.org/documentation/#connect">Kafka Connect, whose JsonConverter defines the form</a>
 */
final class SchemaWriter {

    private final Settings settings;

    SchemaWriter(Settings settings) {
        this.settings = settings;
    }

    void write(JsonGenerator out, Schema schema) throws IOException {
        out.writeStartObject();
        writeAttributes(out, schema);
        out.writeEndObject();
    }

    private void writeAttributes(JsonGenerator out, Schema schema) throws IOException {
        out.writeStringField(SchemaNames.TYPE, SchemaNames.typeName(schema.getFieldType()));
        switch (schema.getFieldType()) {
            case ARRAY -> {
                out.writeFieldName(SchemaNames.ITEMS);
                write(out, schema.getValueSchema());
            }
            case MAP -> {
                out.writeFieldName(SchemaNames.KEYS);
                write(out, schema.getKeySchema());
                out.writeFieldName(SchemaNames.VALUES);
                write(out, schema.getValueSchema());
            }
            case STRUCT -> {
                out.writeArrayFieldStart(SchemaNames.FIELDS);
                for (Field field : schema.getFields()) {
                    out.writeStartObject();
                    writeAttributes(out, field.getSchema());
                    out.writeStringField(SchemaNames.FIELD, field.getName());
                    out.writeEndObject();
                }
                out.writeEndArray();
            }
            default -> {
            }
        }
        out.writeBooleanField(SchemaNames.OPTIONAL, schema.isOptional());
        String name = name(schema);
        if (name != null) {
            out.writeStringField(SchemaNames.NAME, name);
        }
        if (schema.getVersion() != null) {
            out.writeNumberField(SchemaNames.VERSION, schema.getVersion());
        }
        if (schema.getDoc() != null) {
            out.writeStringField(SchemaNames.DOC, schema.getDoc());
        }
        if (schema.getParameters() != null && !schema.getParameters().isEmpty()) {
            out.writeObjectFieldStart(SchemaNames.PARAMETERS);
            for (Map.Entry<String, String> parameter : schema.getParameters().entrySet()) {
                out.writeStringField(parameter.getKey(), parameter.getValue());
            }
            out.writeEndObject();
        }
        if (schema.getDefaultValue() != null) {
            out.writeFieldName(SchemaNames.DEFAULT);
            Codecs.of(schema, settings).write(out, schema.getDefaultValue());
        }
    }

    private String name(Schema schema) {
        Optional<LogicalType> logical = schema.getFieldType() == FieldType.DATETIME ? Optional.of(LogicalType.TIMESTAMP)
            : LogicalType.of(schema.getFieldType(), schema.getName());
        return logical.map(type -> settings.kafkaNames() ? type.kafkaName() : type.openMessagingName()).orElse(schema.getName());
    }
}
