package io.sluice.connector.jdbc.sink.dialect;

import io.openmessaging.connector.api.data.Schema;
import io.sluice.connector.jdbc.sink.bind.Conversion;
import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.connector.jdbc.sink.bind.Plain;
import io.sluice.connector.jdbc.sink.bind.RawText;
import io.sluice.connector.jdbc.sink.bind.Rules;
import io.sluice.connector.jdbc.sink.bind.Target;
import io.sluice.connector.jdbc.sink.bind.Temporal;
import io.sluice.connector.jdbc.sink.dialect.ValueType.Kind;
import io.sluice.connector.jdbc.sink.table.Column;
import io.sluice.connector.jdbc.sink.table.NewColumn;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is different from database to database when rows are written: statements, column types, and how values are handed over. This class
 * itself speaks the SQL that most databases share. Immutable; table names come in quoted, column names as they are.
 */
public class Dialect {

    private final UnaryOperator<String> quote;
    private final Rules rules;

    /** @param quote makes a column's name fit for a statement */
    public Dialect(UnaryOperator<String> quote, Rules rules) {
        this.quote = Objects.requireNonNull(quote, "quote");
        this.rules = Objects.requireNonNull(rules, "rules");
    }

    protected final String quote(String name) {
        return quote.apply(name);
    }

    protected final Temporal temporal() {
        return rules.temporal();
    }

    // Statements

    public Sql insert(String table, List<String> keys, List<String> values) {
        List<String> all = concat(keys, values);
        return new Sql("INSERT INTO " + table + " (" + names(all) + ") VALUES (" + marks(all.size()) + ")", Sql.range(0, all.size()));
    }

    /** @param values not empty */
    public final Sql update(String table, List<String> keys, List<String> values) {
        String text = "UPDATE " + table + " SET " + assignments(values) + " WHERE " + conditions(keys);
        return new Sql(text, Sql.join(Sql.range(keys.size(), keys.size() + values.size()), Sql.range(0, keys.size())));
    }

    public final Sql delete(String table, List<String> keys) {
        return new Sql("DELETE FROM " + table + " WHERE " + conditions(keys), Sql.range(0, keys.size()));
    }

    /** Finds out whether a row is there. */
    public final Sql exists(String table, List<String> keys) {
        return new Sql("SELECT 1 FROM " + table + " WHERE " + conditions(keys), Sql.range(0, keys.size()));
    }

    /** Inserts a row, or updates the one with this key; empty if this database has no statement for that. */
    public Optional<Sql> upsert(String table, List<String> keys, List<String> values) {
        return Optional.empty();
    }

    /** Whether {@link #upsert} asks the database for a primary key or unique index on the key's columns. */
    public boolean upsertNeedsUniqueKey() {
        return false;
    }

    public String createTable(String table, List<NewColumn> columns) {
        Stream<String> definitions = columns.stream().map(column -> definition(column, true));
        String keys = columns.stream().filter(NewColumn::key).map(column -> quote(column.name())).collect(Collectors.joining(", "));
        String body = Stream.concat(definitions, keys.isEmpty() ? Stream.empty() : Stream.of("PRIMARY KEY (" + keys + ")"))
            .collect(Collectors.joining(", "));
        return "CREATE TABLE " + table + " (" + body + ")" + tableOptions();
    }

    protected String tableOptions() {
        return "";
    }

    /** @throws DataProblem if the column can be neither null nor has a default */
    public final String addColumn(String table, NewColumn column) {
        if (!column.optional() && column.defaultValue().isEmpty()) {
            throw new DataProblem("the column " + column.name() + " cannot be added to " + table + ": the field may not be null and has no default, so that the "
                + "rows that are there would have no value for it; make the field optional, or add the column by hand");
        }
        return "ALTER TABLE " + table + " ADD " + definition(column, false);
    }

    private String definition(NewColumn column, boolean newTable) {
        Optional<String> literal = column.key() ? Optional.empty() : column.defaultValue().flatMap(value -> defaultLiteral(column.type(), value));
        boolean notNull = !column.optional() && (newTable || literal.isPresent());
        return quote(column.name()) + " " + columnType(column.type(), column.key()) + literal.map(text -> " DEFAULT " + text).orElse("")
            + (notNull ? " NOT NULL" : nullMark());
    }

    protected String nullMark() {
        return "";
    }

    /** A default for a column definition; empty if it has no form there, which only means that the sink writes it in every row. */
    private Optional<String> defaultLiteral(ValueType type, Object value) {
        if (type.kind() == Kind.MICRO_TIMESTAMP) {
            return Optional.empty();
        }
        Object plain = Plain.of(type, value);
        if (plain instanceof Boolean truth) {
            return Optional.of(booleanLiteral(truth));
        }
        if (plain instanceof BigDecimal decimal) {
            return Math.abs(decimal.scale()) > 100 ? Optional.empty() : Optional.of(decimal.toPlainString());
        }
        if (plain instanceof Long || plain instanceof Double d && Double.isFinite(d) || plain instanceof Float f && Float.isFinite(f)) {
            return Optional.of(plain.toString());
        }
        if (plain instanceof String text) {
            return text.length() <= 200 && text.indexOf('\0') < 0 ? Optional.of(textLiteral(text)) : Optional.empty();
        }
        if (plain instanceof LocalDate date) {
            return Optional.of(timeLiteral("DATE", date.toString()));
        }
        if (plain instanceof LocalTime time) {
            return Optional.of(timeLiteral("TIME", Temporal.text(time)));
        }
        return plain instanceof Instant instant ? Optional.of(timeLiteral("TIMESTAMP", Temporal.text(temporal().local(instant)))) : Optional.empty();
    }

    protected String booleanLiteral(boolean value) {
        return value ? "TRUE" : "FALSE";
    }

    protected String textLiteral(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    protected String timeLiteral(String type, String text) {
        return type + " '" + text + "'";
    }

    // Column types

    /**
     * The type of a new column that holds every value of {@code type}.
     *
     * @param key whether the column is part of the primary key
     * @throws DataProblem if there is no such type
     */
    public String columnType(ValueType type, boolean key) {
        return switch (type.kind()) {
            case INT8, INT16 -> "SMALLINT";
            case INT32 -> "INTEGER";
            case INT64 -> "BIGINT";
            case FLOAT32 -> "REAL";
            case FLOAT64 -> "DOUBLE PRECISION";
            case BOOLEAN -> "BOOLEAN";
            case STRING -> key ? "VARCHAR(255)" : "VARCHAR(4000)";
            case BYTES -> key ? "VARBINARY(255)" : "BLOB";
            case DECIMAL -> decimalType("DECIMAL", type, 38);
            case DATE -> "DATE";
            case TIME -> "TIME";
            case TIMESTAMP -> "TIMESTAMP";
            case TEXT_TIMESTAMP, TEXT_INSTANT, MICRO_TIMESTAMP -> columnType(ValueType.plain(Kind.TIMESTAMP), key);
            case MICRO_TIME -> columnType(ValueType.plain(Kind.INT64), key);
            case UUID, JSON -> columnType(ValueType.plain(Kind.STRING), key);
            case ARRAY, NESTED -> nestedType(type);
            case FREE -> throw new DataProblem("a value without a schema does not tell the type of a new column; make the column by hand");
        };
    }

    private String nestedType(ValueType type) {
        if (!rules.nestedAsJson()) {
            throw new DataProblem("there is no column type for " + type + "; set nested.values=json to keep it as JSON text, or leave the field out");
        }
        return columnType(ValueType.plain(Kind.STRING), false);
    }

    /** A decimal type with as many digits before the point as there can be. */
    protected static String decimalType(String name, ValueType type, int most) {
        int digits = type.precision().orElse(most);
        if (type.scale() < 0 || type.scale() > most || digits > most || digits < 1) {
            throw new DataProblem("there is no column type for " + type + (type.precision().isPresent() ? " and " + digits + " in all" : "")
                + ": a decimal has at most " + most + " digits here");
        }
        return name + "(" + Math.max(digits, type.scale()) + "," + type.scale() + ")";
    }

    // Values

    /** What a column takes. */
    public Target target(Column column) {
        return switch (column.jdbcType()) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> Target.WHOLE;
            case Types.DECIMAL, Types.NUMERIC -> Target.DECIMAL;
            case Types.REAL -> Target.FLOAT;
            case Types.FLOAT, Types.DOUBLE -> Target.DOUBLE;
            case Types.BOOLEAN -> Target.BOOLEAN;
            case Types.BIT -> Target.BITS;
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> Target.BINARY;
            case Types.DATE -> Target.DATE;
            case Types.TIME -> Target.TIME;
            case Types.TIME_WITH_TIMEZONE -> Target.TIME_ZONED;
            case Types.TIMESTAMP -> Target.TIMESTAMP;
            case Types.TIMESTAMP_WITH_TIMEZONE -> Target.TIMESTAMP_ZONED;
            case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR, Types.CLOB, Types.NCLOB -> Target.TEXT;
            case Types.ARRAY -> Target.ARRAY;
            default -> Target.OTHER;
        };
    }

    /** What the elements of an array column are; empty if that is not known. */
    public Optional<Target> elementTarget(Column column) {
        return Optional.empty();
    }

    /** Whether the database itself shall read a date or time that is not in ISO form. */
    protected boolean readsTimesAsText() {
        return false;
    }

    /** How the values of a field become those of a column. @param schema null if there is none */
    public final Conversion conversion(Schema schema, Column column) {
        return new Conversion(schema, target(column), elementTarget(column), rules, readsTimesAsText());
    }

    /**
     * The last look at a converted value, for what a database would round or cut without saying so.
     *
     * @throws DataProblem if it would
     */
    public Object check(Column column, Target target, Object converted) {
        return converted;
    }

    /** Sets a parameter to a converted value; null stands for SQL's NULL. @param target what {@link #target} says of the column */
    public void set(PreparedStatement statement, int index, Column column, Target target, Object value) throws SQLException {
        if (value == null) {
            statement.setNull(index, column.jdbcType());
        } else if (value instanceof String text) {
            statement.setString(index, text);
        } else if (value instanceof Long number) {
            statement.setLong(index, number);
        } else if (value instanceof BigDecimal decimal) {
            statement.setBigDecimal(index, decimal);
        } else if (value instanceof Boolean truth) {
            statement.setBoolean(index, truth);
        } else if (value instanceof Double number) {
            statement.setDouble(index, number);
        } else if (value instanceof Float number) {
            statement.setFloat(index, number);
        } else if (value instanceof byte[] bytes) {
            statement.setBytes(index, bytes);
        } else if (value instanceof RawText raw) {
            statement.setString(index, raw.text());
        } else if (value instanceof UUID || value instanceof LocalDate || value instanceof LocalTime || value instanceof LocalDateTime) {
            setObject(statement, index, value);
        } else {
            statement.setObject(index, value);
        }
    }

    /** Sets a parameter to a UUID, a date, or a local time. */
    protected void setObject(PreparedStatement statement, int index, Object value) throws SQLException {
        statement.setObject(index, value);
    }

    // Sessions

    /** Statements that make a new connection fit for writing. */
    public List<String> sessionSetup() {
        return List.of();
    }

    /** Statements at the beginning of a transaction that make every constraint be checked at once. */
    public List<String> immediateConstraints() {
        return List.of();
    }

    // Parts of statements

    protected final String names(List<String> columns) {
        return columns.stream().map(this::quote).collect(Collectors.joining(", "));
    }

    protected static String marks(int count) {
        return String.join(", ", java.util.Collections.nCopies(count, "?"));
    }

    protected final String assignments(List<String> columns) {
        return columns.stream().map(column -> quote(column) + " = ?").collect(Collectors.joining(", "));
    }

    protected final String conditions(List<String> columns) {
        return columns.stream().map(column -> quote(column) + " = ?").collect(Collectors.joining(" AND "));
    }

    protected static List<String> concat(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    /** An upsert in the form that PostgreSQL and SQLite share. */
    protected final Sql insertOnConflict(String table, List<String> keys, List<String> values) {
        Sql insert = insert(table, keys, values);
        String action = values.isEmpty() ? "NOTHING"
            : "UPDATE SET " + values.stream().map(column -> quote(column) + " = EXCLUDED." + quote(column)).collect(Collectors.joining(", "));
        return new Sql(insert.text() + " ON CONFLICT (" + names(keys) + ") DO " + action, insert.slots());
    }
}
