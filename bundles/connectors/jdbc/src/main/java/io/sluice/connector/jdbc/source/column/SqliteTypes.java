package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.SchemaBuilder;
import io.sluice.connector.jdbc.db.SchemaNames;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * SQLite's types. A column's declared type is a recommendation there, and each value has a type of its own: integer, real, text or blob. The
 * declaration decides on the field, by SQLite's own rules, and a value that cannot be had in that form is an error.
 *
 * @see <a href="https://www.sqlite.org/datatype3.html">Datatypes in SQLite</a>
 */
final class SqliteTypes extends ColumnTypes {

    SqliteTypes(MappingOptions options) {
        super(options);
    }

    @Override
    Optional<ColumnMapping> map(ColumnInfo info, Connection connection) {
        String type = info.typeName().toUpperCase(Locale.ROOT);
        if (type.contains("BOOL")) {
            return mapping(SchemaBuilder.bool(), info, SqliteTypes::bool);
        }
        if (type.contains("INT") && !type.contains("POINT")) {
            return mapping(SchemaBuilder.int64(), info, SqliteTypes::whole);
        }
        if (type.contains("JSON")) {
            return mapping(SchemaBuilder.string().name(SchemaNames.JSON), info, this::text);
        }
        if (type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") || type.startsWith("DATE") || type.startsWith("TIME") || type.equals("UUID")) {
            return mapping(SchemaBuilder.string(), info, this::text);
        }
        if (type.contains("BLOB") || type.contains("BINARY")) {
            return mapping(SchemaBuilder.bytes(), info, this::bytes);
        }
        if (type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB")) {
            return mapping(SchemaBuilder.float64(), info, SqliteTypes::real);
        }
        if (type.contains("NUM") || type.contains("DEC")) {
            Numbers.Numeric number = info.precision() > 0 ? numbers.decimal(info.precision(), info.scale()) : numbers.unscaled();
            return mapping(number.schema(), info, value -> number.convert().apply(number(value)));
        }
        // Without a type the driver names one after the first row; an unknown one says nothing of the values. Texts say most.
        return mapping(SchemaBuilder.string(), info, this::text);
    }

    private static Optional<ColumnMapping> mapping(SchemaBuilder schema, ColumnInfo info, Function<Object, Object> convert) {
        return Optional.of(ColumnMapping.of(schema, info.nullable(), (row, column) -> {
            Object value = row.getObject(column);
            return value == null ? null : convert.apply(value);
        }));
    }

    private static Object bool(Object value) {
        if (value instanceof Integer number && (number == 0 || number == 1)) {
            return number == 1;
        }
        throw unfit(value, "a boolean; SQLite's are 0 and 1");
    }

    static Object whole(Object value) {
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        throw unfit(value, "a whole number");
    }

    private static Object real(Object value) {
        if (value instanceof Double) {
            return value;
        }
        if (value instanceof Integer number) {
            return number.doubleValue();
        }
        if (value instanceof Long number && new BigDecimal((double) (long) number).toBigInteger().equals(BigInteger.valueOf(number))) {
            return number.doubleValue();
        }
        throw unfit(value, "a real number");
    }

    private static BigDecimal number(Object value) {
        if (value instanceof Integer || value instanceof Long) {
            return BigDecimal.valueOf(((Number) value).longValue());
        }
        if (value instanceof Double real && Double.isFinite(real) || value instanceof String) {
            try {
                return new BigDecimal(value.toString());
            } catch (NumberFormatException e) {
                throw unfit(value, "a number");
            }
        }
        throw unfit(value, "a number");
    }

    private Object text(Object value) {
        if (value instanceof String text) {
            return large.text(text);
        }
        if (value instanceof Number) {
            return value.toString();
        }
        throw unfit(value, "a text");
    }

    private Object bytes(Object value) {
        if (value instanceof byte[] bytes) {
            return large.bytes(bytes);
        }
        // As SQLite's own cast of a text to a blob.
        return large.bytes(value.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static ValueProblem unfit(Object value, String what) {
        String shown = value instanceof byte[] bytes ? "a blob of " + bytes.length + " bytes" : "the value '" + value + "'";
        return new ValueProblem(shown + " is not " + what + ", though the column is declared so; cast the column by a 'query'");
    }
}
