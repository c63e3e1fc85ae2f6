package io.sluice.connector.jdbc.sink.dialect;

import io.sluice.connector.jdbc.sink.bind.Rules;
import io.sluice.connector.jdbc.sink.bind.Target;
import io.sluice.connector.jdbc.sink.table.Column;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** H2. */
public final class H2Dialect extends Dialect {

    public H2Dialect(UnaryOperator<String> quote, Rules rules) {
        super(quote, rules);
    }

    @Override
    public Optional<Sql> upsert(String table, List<String> keys, List<String> values) {
        List<String> all = concat(keys, values);
        return Optional.of(new Sql("MERGE INTO " + table + " (" + names(all) + ") KEY (" + names(keys) + ") VALUES (" + marks(all.size()) + ")",
            Sql.range(0, all.size())));
    }

    @Override
    public String columnType(ValueType type, boolean key) {
        return switch (type.kind()) {
            case INT8 -> "TINYINT";
            case STRING -> "CHARACTER VARYING";
            case BYTES -> key ? "BINARY VARYING" : "BINARY LARGE OBJECT";
            case DECIMAL -> decimalType("NUMERIC", type, type.scale() <= 500 ? 1000 : Math.min(100_000, type.scale() + 500));
            case TIME -> "TIME(9)";
            case TIMESTAMP -> "TIMESTAMP(9)";
            case TEXT_INSTANT -> "TIMESTAMP(9) WITH TIME ZONE";
            case UUID -> "UUID";
            case ARRAY -> arrayType(type).orElseGet(() -> super.columnType(type, key));
            default -> super.columnType(type, key);
        };
    }

    private Optional<String> arrayType(ValueType type) {
        ValueType element = type.element().orElseThrow();
        return switch (element.kind()) {
            case NESTED, FREE -> Optional.empty();
            case ARRAY -> arrayType(element).map(inner -> inner + " ARRAY");
            default -> Optional.of(columnType(element, false) + " ARRAY");
        };
    }

    @Override
    public Target target(Column column) {
        String type = column.typeName().toUpperCase(Locale.ROOT);
        if (type.endsWith("ARRAY")) {
            return Target.ARRAY;
        }
        if (type.startsWith("DECFLOAT")) {
            return Target.DECIMAL;
        }
        return type.equals("UUID") ? Target.UUID : super.target(column);
    }

    /** By the type's name, {@code NUMERIC(10, 2) ARRAY ARRAY} for example. */
    @Override
    public Optional<Target> elementTarget(Column column) {
        if (target(column) != Target.ARRAY) {
            return Optional.empty();
        }
        String type = column.typeName().toUpperCase(Locale.ROOT);
        String name = type.substring(0, (type + " ARRAY").indexOf(" ARRAY"));
        return Optional.of(switch (name.replaceAll("\\(.*?\\)", "")) {
            case "TINYINT", "SMALLINT", "INTEGER", "BIGINT" -> Target.WHOLE;
            case "NUMERIC", "DECIMAL", "DECFLOAT" -> Target.DECIMAL;
            case "REAL" -> Target.FLOAT;
            case "DOUBLE PRECISION", "FLOAT" -> Target.DOUBLE;
            case "BOOLEAN" -> Target.BOOLEAN;
            case "BINARY", "BINARY VARYING", "BINARY LARGE OBJECT" -> Target.BINARY;
            case "DATE" -> Target.DATE;
            case "TIME" -> Target.TIME;
            case "TIME WITH TIME ZONE" -> Target.TIME_ZONED;
            case "TIMESTAMP" -> Target.TIMESTAMP;
            case "TIMESTAMP WITH TIME ZONE" -> Target.TIMESTAMP_ZONED;
            case "UUID" -> Target.UUID;
            default -> Target.TEXT;
        });
    }

    @Override
    public void set(PreparedStatement statement, int index, Column column, Target target, Object value) throws SQLException {
        if (column.typeName().equalsIgnoreCase("JSON") && value instanceof String text) {
            // As a string it would be stored as a JSON string; as bytes it is read as JSON.
            statement.setBytes(index, text.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof List<?> list) {
            statement.setObject(index, elements(list));
        } else {
            super.set(statement, index, column, target, value);
        }
    }

    private static Object[] elements(List<?> list) {
        return list.stream().map(element -> element instanceof List<?> inner ? elements(inner) : element).toArray();
    }
}
