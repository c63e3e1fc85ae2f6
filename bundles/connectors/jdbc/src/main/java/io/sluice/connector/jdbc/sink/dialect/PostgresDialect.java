package io.sluice.connector.jdbc.sink.dialect;

import io.sluice.connector.jdbc.sink.bind.RawText;
import io.sluice.connector.jdbc.sink.bind.Rules;
import io.sluice.connector.jdbc.sink.bind.Target;
import io.sluice.connector.jdbc.sink.table.Column;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** PostgreSQL. What has no type of its own in JDBC goes over as text of unknown type, which the server reads as the column's type says. */
public final class PostgresDialect extends Dialect {

    private static final Set<String> TEXT = Set.of("text", "varchar", "bpchar", "char", "name", "character varying", "character");

    public PostgresDialect(UnaryOperator<String> quote, Rules rules) {
        super(quote, rules);
    }

    @Override
    public Optional<Sql> upsert(String table, List<String> keys, List<String> values) {
        return Optional.of(insertOnConflict(table, keys, values));
    }

    @Override
    public boolean upsertNeedsUniqueKey() {
        return true;
    }

    @Override
    public String columnType(ValueType type, boolean key) {
        return switch (type.kind()) {
            case STRING -> "TEXT";
            case BYTES -> "BYTEA";
            case TEXT_INSTANT -> "TIMESTAMPTZ";
            case UUID -> "UUID";
            // Not JSONB, which does not keep the text.
            case JSON -> key ? "TEXT" : "JSON";
            case DECIMAL -> type.precision().isPresent() ? decimalType("NUMERIC", type, 1000) : "NUMERIC";
            case ARRAY -> arrayType(type).orElseGet(() -> super.columnType(type, key));
            default -> super.columnType(type, key);
        };
    }

    private Optional<String> arrayType(ValueType type) {
        ValueType element = type.element().orElseThrow();
        return switch (element.kind()) {
            case NESTED, FREE -> Optional.empty();
            // An array of any depth has the same type as one of a single dimension.
            case ARRAY -> arrayType(element);
            default -> Optional.of(columnType(element, false) + "[]");
        };
    }

    @Override
    public Target target(Column column) {
        String type = column.typeName().toLowerCase(Locale.ROOT);
        return switch (type) {
            case "bool" -> Target.BOOLEAN;
            case "bit", "varbit" -> Target.BITS;
            case "timestamptz" -> Target.TIMESTAMP_ZONED;
            case "timetz" -> Target.TIME_ZONED;
            case "uuid" -> Target.UUID;
            case "money" -> Target.OTHER;
            default -> {
                Target target = super.target(column);
                yield target == Target.TEXT && !TEXT.contains(type) ? Target.OTHER : target;
            }
        };
    }

    @Override
    public Optional<Target> elementTarget(Column column) {
        return column.jdbcType() != Types.ARRAY ? Optional.empty() : Optional.of(switch (elementType(column)) {
            case "int2", "int4", "int8" -> Target.WHOLE;
            case "numeric" -> Target.DECIMAL;
            case "float4" -> Target.FLOAT;
            case "float8" -> Target.DOUBLE;
            case "bool" -> Target.BOOLEAN;
            case "bytea" -> Target.BINARY;
            case "date" -> Target.DATE;
            case "time" -> Target.TIME;
            case "timetz" -> Target.TIME_ZONED;
            case "timestamp" -> Target.TIMESTAMP;
            case "timestamptz" -> Target.TIMESTAMP_ZONED;
            case "uuid" -> Target.UUID;
            default -> Target.TEXT;
        });
    }

    private static String elementType(Column column) {
        return column.typeName().startsWith("_") ? column.typeName().substring(1) : column.typeName();
    }

    @Override
    protected boolean readsTimesAsText() {
        return true;
    }

    @Override
    public void set(PreparedStatement statement, int index, Column column, Target target, Object value) throws SQLException {
        if (value instanceof List<?> list) {
            Array array = statement.getConnection().createArrayOf(elementType(column), elements(list));
            statement.setArray(index, array);
        } else if (value instanceof RawText raw) {
            statement.setObject(index, raw.text(), Types.OTHER);
        } else if (target == Target.OTHER || target == Target.BITS) {
            setUntyped(statement, index, value == null ? null : target == Target.BITS ? bits(column, value) : value.toString());
        } else {
            super.set(statement, index, column, target, value);
        }
    }

    private static void setUntyped(PreparedStatement statement, int index, String text) throws SQLException {
        if (text == null) {
            statement.setNull(index, Types.NULL);
        } else {
            statement.setObject(index, text, Types.OTHER);
        }
    }

    private static String bits(Column column, Object value) {
        if (value instanceof Boolean truth) {
            return truth ? "1" : "0";
        }
        BigInteger number = value instanceof byte[] bytes ? new BigInteger(1, bytes) : BigInteger.valueOf((Long) value);
        // Only a BIT has a width of its own; the size of a VARBIT is a limit, and without one is said to be the largest int.
        int own = column.typeName().equalsIgnoreCase("bit") ? column.size() : 0;
        int width = own > 0 ? own : value instanceof byte[] bytes ? bytes.length * 8 : 0;
        String digits = number.toString(2);
        return "0".repeat(Math.max(0, width - digits.length())) + digits;
    }

    /** Elements in the form that the driver turns into text by {@code toString}. */
    private static Object[] elements(List<?> list) {
        Object[] elements = list.stream().map(PostgresDialect::element).toArray();
        boolean nested = elements.length > 0 && Arrays.stream(elements).allMatch(Object[].class::isInstance);
        return nested ? Arrays.copyOf(elements, elements.length, Object[][].class) : elements;
    }

    private static Object element(Object value) {
        if (value instanceof List<?> list) {
            return elements(list);
        }
        if (value instanceof byte[] bytes) {
            return "\\x" + HexFormat.of().formatHex(bytes);
        }
        if (value instanceof RawText raw) {
            return raw.text();
        }
        return value == null ? null : value.toString();
    }

    @Override
    public List<String> immediateConstraints() {
        return List.of("SET CONSTRAINTS ALL IMMEDIATE");
    }
}
