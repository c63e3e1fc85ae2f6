package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.SchemaBuilder;
import io.sluice.connector.jdbc.db.SchemaNames;
import io.sluice.connector.jdbc.source.column.MappingOptions.Special;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * PostgreSQL's types. Most are read as the text that the server sends, which is exact where the driver's objects are not: it has no objects for
 * NaN in a NUMERIC, for infinite dates, for years before the first, and for what arrays hold.
 */
final class PostgresTypes extends ColumnTypes {

    /** Types whose text is all that a record can say of them. */
    private static final Set<String> AS_TEXT = Set.of("text", "varchar", "bpchar", "name", "char", "citext", "inet", "cidr", "macaddr", "macaddr8", "point", "line", "lseg",
        "box", "path", "polygon", "circle", "geometry", "geography", "tsvector", "tsquery", "jsonpath", "hstore", "ltree", "lquery", "pg_lsn", "txid_snapshot", "pg_snapshot",
        "xid", "xid8", "cid", "tid", "regclass", "regtype", "regproc", "regprocedure", "regnamespace", "regrole", "regoper", "regoperator", "regconfig",
        "regdictionary", "regcollation");
    /** Kinds of types, as pg_type has them, whose text says all: enum, range, multirange. */
    private static final String KINDS_AS_TEXT = "erm";
    /** Scales are kept in eleven bits, in two's complement, which the driver takes for unsigned. */
    private static final int SCALES = 2_048;
    private static final int GREATEST_SCALE = 1_000;

    /** What a text becomes. @param mayBeNull true if a text that is there may become null */
    private record TextType(SchemaBuilder schema, boolean mayBeNull, Function<String, Object> convert) {

        TextType(SchemaBuilder schema, Function<String, Object> convert) {
            this(schema, false, convert);
        }
    }

    PostgresTypes(MappingOptions options) {
        super(options);
    }

    @Override
    Optional<ColumnMapping> map(ColumnInfo info, Connection connection) throws SQLException {
        if (info.typeName().equals("oid")) {
            return Optional.of(int64(info.nullable()));
        }
        if (info.jdbcType() == Types.ARRAY) {
            return array(info, connection);
        }
        Optional<TextType> text = ownType(info.typeName(), info, connection);
        if (text.isPresent()) {
            return Optional.of(ColumnMapping.of(text.get().schema(), info.nullable() || text.get().mayBeNull(), reader(text.get().convert())));
        }
        // Composite types have a JDBC type too, and would be taken for a text there.
        boolean known = info.jdbcType() != Types.OTHER && info.jdbcType() != Types.STRUCT && info.jdbcType() != Types.DISTINCT;
        if (AS_TEXT.contains(info.typeName()) && info.jdbcType() != Types.CHAR || !known && isKindAsText("select typtype from pg_type where oid = to_regtype(?)", info, connection)) {
            return Optional.of(large.text(SchemaBuilder.string(), info));
        }
        return Optional.ofNullable(standard(info));
    }

    private static ColumnReader reader(Function<String, Object> convert) {
        return (row, column) -> {
            String text = row.getString(column);
            return text == null ? null : convert.apply(text);
        };
    }

    /** The types that are read from their text into something else, or have a name for their text. */
    private Optional<TextType> ownType(String name, ColumnInfo info, Connection connection) throws SQLException {
        int digits = digits(info);
        return Optional.ofNullable(switch (name) {
            case "numeric" -> numeric(info);
            case "money" -> money(connection);
            case "bit" -> info.precision() == 1 ? new TextType(SchemaBuilder.bool(), "1"::equals) : bits();
            case "varbit" -> bits();
            case "date" -> special(SchemaBuilder.date(), text -> Temporals.date(SqlText.date(text)));
            case "time" -> new TextType(temporals.timeSchema(digits), temporals.time(digits).compose(SqlText::nanosOfTime));
            case "timetz" -> new TextType(SchemaBuilder.string().name(SchemaNames.ZONED_TIME), PostgresTypes::zonedTime);
            case "timestamp" -> orInfinity(digits, temporals.timestampSchema(digits), temporals.timestamp(digits).compose(SqlText::timestamp));
            case "timestamptz" -> orInfinity(digits, temporals.zonedSchema(digits), temporals.zoned(digits).compose(SqlText::instant));
            case "interval" -> named(SchemaNames.INTERVAL);
            case "uuid" -> named(SchemaNames.UUID);
            case "json", "jsonb" -> named(SchemaNames.JSON);
            case "xml" -> named(SchemaNames.XML);
            default -> null;
        });
    }

    private TextType named(String schemaName) {
        return new TextType(SchemaBuilder.string().name(schemaName), large::text);
    }

    private TextType bits() {
        return new TextType(SchemaBuilder.string().name(SchemaNames.BITS), large::text);
    }

    private TextType numeric(ColumnInfo info) {
        if (info.precision() == 0 && !numbers.hasUnscaledScale()) {
            // NaN and the infinities are texts like the others.
            return new TextType(SchemaBuilder.string().name(SchemaNames.NUMBER_TEXT), text -> text);
        }
        int scale = info.scale() > GREATEST_SCALE ? info.scale() - SCALES : info.scale();
        Numbers.Numeric type = info.precision() == 0 ? numbers.unscaled() : numbers.decimal(info.precision(), scale);
        return special(type.schema(), text -> type.convert().apply(new BigDecimal(text)));
    }

    /** Text with a currency, grouped and pointed as the server's locale has it; only its digits and sign count, and how many are behind the point. */
    private TextType money(Connection connection) throws SQLException {
        try (var statement = connection.createStatement(); ResultSet row = statement.executeQuery("select scale(0::money::numeric)")) {
            row.next();
            int scale = row.getInt(1);
            Numbers.Numeric type = Numbers.exact(19, scale);
            return new TextType(type.schema(), text -> {
                BigDecimal amount = new BigDecimal(text.replaceAll("[^0-9]", "")).movePointLeft(scale).setScale(scale);
                return text.indexOf('-') >= 0 || text.indexOf('(') >= 0 ? amount.negate() : amount;
            });
        }
    }

    /** A type some of whose values only the database knows. */
    private TextType special(SchemaBuilder schema, Function<String, Object> convert) {
        boolean toNull = options.specialValues() == Special.NULL;
        return new TextType(schema, toNull, text -> {
            if (!isSpecial(text)) {
                return convert.apply(text);
            }
            if (toNull) {
                return null;
            }
            throw new ValueProblem("the value '" + text + "' has no counterpart in a record; set 'special.values' to null, or cast the column to text by a 'query'");
        });
    }

    private static boolean isSpecial(String text) {
        return text.endsWith("nfinity") || text.equals("NaN");
    }

    private TextType orInfinity(int digits, SchemaBuilder schema, Function<String, Object> convert) {
        return temporals.isText(digits) ? new TextType(schema, text -> isSpecial(text) ? text : convert.apply(text)) : special(schema, convert);
    }

    /** {@code 12:34:56+05} of the server, {@code 12:34:56+05:00} of ISO 8601. */
    private static String zonedTime(String text) {
        int sign = Math.max(text.lastIndexOf('+'), text.lastIndexOf('-'));
        return sign == text.length() - 3 ? text + ":00" : text;
    }

    private boolean isKindAsText(String sql, ColumnInfo info, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, info.typeName());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && KINDS_AS_TEXT.contains(row.getString(1));
            }
        }
    }

    private Optional<ColumnMapping> array(ColumnInfo info, Connection connection) throws SQLException {
        String element = info.typeName().startsWith("_") ? info.typeName().substring(1) : info.typeName();
        Optional<TextType> found = ownType(element, info, connection).or(() -> Optional.ofNullable(plainElement(element)));
        if (found.isEmpty() && isKindAsText("select e.typtype from pg_type a join pg_type e on e.oid = a.typelem where a.oid = to_regtype(?)", info, connection)) {
            found = Optional.of(new TextType(SchemaBuilder.string(), text -> text));
        }
        return found.map(type -> {
            Function<String, Object> convert = type.convert();
            return ColumnMapping.of(SchemaBuilder.array(type.schema().optional().build()), info.nullable(),
                reader(text -> ArrayText.parse(large.text(text), convert)));
        });
    }

    private static TextType plainElement(String name) {
        return switch (name) {
            case "bool" -> new TextType(SchemaBuilder.bool(), "t"::equals);
            case "int2" -> new TextType(SchemaBuilder.int16(), Short::valueOf);
            case "int4" -> new TextType(SchemaBuilder.int32(), Integer::valueOf);
            case "int8", "oid" -> new TextType(SchemaBuilder.int64(), Long::valueOf);
            case "float4" -> new TextType(SchemaBuilder.float32(), Float::valueOf);
            case "float8" -> new TextType(SchemaBuilder.float64(), Double::valueOf);
            case "bytea" -> new TextType(SchemaBuilder.bytes(), text -> HexFormat.of().parseHex(text, 2, text.length()));
            // A box has semicolons between its elements.
            case "box" -> null;
            default -> AS_TEXT.contains(name) ? new TextType(SchemaBuilder.string(), text -> text) : null;
        };
    }

    @Override
    LocalDate readDate(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null ? null : SqlText.date(text);
    }

    @Override
    LocalDateTime readTimestamp(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null ? null : SqlText.timestamp(text);
    }
}
