package io.sluice.connector.jdbc.sink.dialect;

import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.logical.Date;
import io.openmessaging.connector.api.data.logical.Decimal;
import io.openmessaging.connector.api.data.logical.Time;
import io.openmessaging.connector.api.data.logical.Timestamp;
import io.sluice.connector.jdbc.db.SchemaNames;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a record's field holds, as far as a column is concerned.
 *
 * @param kind the type, the logical one if there is one
 * @param precision digits of a decimal, if the schema says how many there may be
 * @param scale digits behind the point of a decimal; 0 for all others
 * @param element the type of an array's elements
 */
public record ValueType(Kind kind, OptionalInt precision, int scale, Optional<ValueType> element) {

    /** The types that columns tell apart. */
    public enum Kind {
        INT8, INT16, INT32, INT64, FLOAT32, FLOAT64, BOOLEAN, STRING, BYTES, DECIMAL, DATE, TIME, TIMESTAMP, ARRAY,
        /** Text of a timestamp without a zone, finer than a millisecond. */
        TEXT_TIMESTAMP,
        /** Text of an instant, finer than a millisecond. */
        TEXT_INSTANT,
        /** An instant in microseconds. */
        MICRO_TIMESTAMP,
        /** A time of day in microseconds. */
        MICRO_TIME,
        UUID,
        JSON,
        /** A struct or a map. */
        NESTED,
        /** Nothing is known before the value is seen: the record has no schema. */
        FREE
    }

    private static final String KAFKA = "org.apache.kafka.connect.data.";
    private static final ValueType FREE_TYPE = plain(Kind.FREE);

    public ValueType {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(precision, "precision");
        Objects.requireNonNull(element, "element");
    }

    static ValueType plain(Kind kind) {
        return new ValueType(kind, OptionalInt.empty(), 0, Optional.empty());
    }

    /** @param schema null if the record has none */
    public static ValueType of(Schema schema) {
        if (schema == null) {
            return FREE_TYPE;
        }
        FieldType type = schema.getFieldType();
        String name = schema.getName();
        if (type == FieldType.BYTES && isLogical(name, Decimal.LOGICAL_NAME, "Decimal")) {
            return decimal(schema.getParameters() == null ? Map.of() : schema.getParameters());
        }
        return switch (type) {
            case INT8 -> plain(Kind.INT8);
            case INT16 -> plain(Kind.INT16);
            case INT32 -> plain(isLogical(name, Date.LOGICAL_NAME, "Date") ? Kind.DATE
                : isLogical(name, Time.LOGICAL_NAME, "Time") ? Kind.TIME : Kind.INT32);
            case INT64 -> plain(isLogical(name, Timestamp.LOGICAL_NAME, "Timestamp") ? Kind.TIMESTAMP : SchemaNames.MICRO_TIMESTAMP.equals(name) ? Kind.MICRO_TIMESTAMP
                : SchemaNames.MICRO_TIME.equals(name) ? Kind.MICRO_TIME : Kind.INT64);
            case DATETIME -> plain(Kind.TIMESTAMP);
            case FLOAT32 -> plain(Kind.FLOAT32);
            case FLOAT64 -> plain(Kind.FLOAT64);
            case BOOLEAN -> plain(Kind.BOOLEAN);
            case STRING -> plain(text(name));
            case BYTES -> plain(Kind.BYTES);
            case ARRAY -> new ValueType(Kind.ARRAY, OptionalInt.empty(), 0, Optional.of(of(schema.getValueSchema())));
            case MAP, STRUCT -> plain(Kind.NESTED);
        };
    }

    /** What a text of the JDBC source stands for, where columns have a type for that which takes every such value. */
    private static Kind text(String name) {
        return switch (name == null ? "" : name) {
            case SchemaNames.LOCAL_TIMESTAMP -> Kind.TEXT_TIMESTAMP;
            case SchemaNames.ZONED_TIMESTAMP -> Kind.TEXT_INSTANT;
            case SchemaNames.UUID -> Kind.UUID;
            case SchemaNames.JSON -> Kind.JSON;
            default -> Kind.STRING;
        };
    }

    private static boolean isLogical(String name, String own, String kafka) {
        return name != null && (name.equals(own) || name.equals(KAFKA + kafka));
    }

    private static ValueType decimal(Map<String, String> parameters) {
        int scale = number(parameters.get(Decimal.SCALE_FIELD)).orElse(0);
        return new ValueType(Kind.DECIMAL, number(parameters.get(SchemaNames.DECIMAL_PRECISION)), scale, Optional.empty());
    }

    private static OptionalInt number(String text) {
        return text == null || !text.matches("-?\\d{1,6}") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
    }

    /** True for the types whose values equal each other in a database exactly when they do in Java, whatever the collation. */
    public boolean isWhole() {
        return switch (kind) {
            case INT8, INT16, INT32, INT64 -> true;
            default -> false;
        };
    }

    @Override
    public String toString() {
        return switch (kind) {
            case DECIMAL -> "DECIMAL with " + scale + " digits behind the point";
            case ARRAY -> "ARRAY of " + element.map(ValueType::toString).orElse("anything");
            case NESTED -> "STRUCT or MAP";
            case FREE -> "a value without a schema";
            default -> kind.name();
        };
    }
}
