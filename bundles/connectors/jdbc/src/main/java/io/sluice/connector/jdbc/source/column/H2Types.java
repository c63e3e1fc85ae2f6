package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.SchemaBuilder;
import io.sluice.connector.jdbc.db.SchemaNames;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** H2's types. */
final class H2Types extends ColumnTypes {

    private static final Pattern ARRAY = Pattern.compile("(.*?)(?:\\((\\d+)(?:, (\\d+))?\\))? ARRAY(?:\\[\\d+])?");

    /** What an element of an array becomes. */
    private record Element(SchemaBuilder schema, Function<Object, Object> convert) {
    }

    H2Types(MappingOptions options) {
        super(options);
    }

    @Override
    Optional<ColumnMapping> map(ColumnInfo info, Connection connection) throws SQLException {
        String name = info.typeName();
        if (info.jdbcType() == Types.ARRAY) {
            return element(name).map(element -> ColumnMapping.of(SchemaBuilder.array(element.schema().optional().build()), info.nullable(), (row, column) -> {
                Array array = row.getArray(column);
                return array == null ? null : elements((Object[]) array.getArray(), element.convert());
            }));
        }
        if (name.equals("DECFLOAT")) {
            return Optional.of(decimal(numbers.unscaled(), info.nullable()));
        }
        if (name.equals("UUID")) {
            return Optional.of(large.text(SchemaBuilder.string().name(SchemaNames.UUID), info));
        }
        if (name.equals("JSON")) {
            return Optional.of(large.text(SchemaBuilder.string().name(SchemaNames.JSON), info));
        }
        if (name.startsWith("INTERVAL")) {
            return Optional.of(large.text(SchemaBuilder.string().name(SchemaNames.INTERVAL), info));
        }
        if (name.startsWith("ENUM") || name.startsWith("GEOMETRY")) {
            return Optional.of(large.text(SchemaBuilder.string(), info));
        }
        return Optional.ofNullable(standard(info));
    }

    private static List<Object> elements(Object[] array, Function<Object, Object> convert) {
        List<Object> elements = new ArrayList<>(array.length);
        for (Object element : array) {
            elements.add(element == null ? null : convert.apply(element));
        }
        return elements;
    }

    private Optional<Element> element(String typeName) {
        Matcher type = ARRAY.matcher(typeName);
        if (!type.matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(switch (type.group(1)) {
            case "BOOLEAN" -> new Element(SchemaBuilder.bool(), value -> value);
            case "TINYINT" -> new Element(SchemaBuilder.int8(), value -> ((Number) value).byteValue());
            case "SMALLINT" -> new Element(SchemaBuilder.int16(), value -> ((Number) value).shortValue());
            case "INTEGER" -> new Element(SchemaBuilder.int32(), value -> value);
            case "BIGINT" -> new Element(SchemaBuilder.int64(), value -> value);
            case "REAL" -> new Element(SchemaBuilder.float32(), value -> value);
            case "DOUBLE PRECISION" -> new Element(SchemaBuilder.float64(), value -> value);
            case "NUMERIC", "DECIMAL" -> decimal(type.group(2), type.group(3));
            case "DECFLOAT" -> decimal(numbers.unscaled());
            case "CHARACTER", "CHARACTER VARYING", "VARCHAR_IGNORECASE" -> new Element(SchemaBuilder.string(), value -> large.text((String) value));
            case "UUID" -> new Element(SchemaBuilder.string().name(SchemaNames.UUID), Object::toString);
            default -> null;
        });
    }

    private Element decimal(String precision, String scale) {
        // Without both it is NUMERIC(100000, 0), as everywhere in H2.
        return decimal(numbers.decimal(precision == null ? 100_000 : Integer.parseInt(precision), scale == null ? 0 : Integer.parseInt(scale)));
    }

    private static Element decimal(Numbers.Numeric type) {
        return new Element(type.schema(), value -> type.convert().apply((BigDecimal) value));
    }
}
