package io.sluice.connector.jdbc.sink.dialect;

import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.connector.jdbc.sink.bind.Rules;
import io.sluice.connector.jdbc.sink.bind.Target;
import io.sluice.connector.jdbc.sink.bind.Temporal;
import io.sluice.connector.jdbc.sink.table.Column;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * SQLite. A column's declared type is but a hint there; dates and times are text in the form that SQLite's own functions read, and decimals
 * are text, since a number of SQLite has 64 bits or 15 digits.
 *
 * @see <a href="https://www.sqlite.org/datatype3.html">Datatypes in SQLite</a>
 */
public final class SqliteDialect extends Dialect {

    private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

    public SqliteDialect(UnaryOperator<String> quote, Rules rules) {
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
            case INT8 -> "TINYINT";
            case FLOAT64 -> "DOUBLE";
            case STRING, DECIMAL -> "TEXT";
            case BYTES -> "BLOB";
            default -> super.columnType(type, key);
        };
    }

    @Override
    protected String booleanLiteral(boolean value) {
        return value ? "1" : "0";
    }

    @Override
    protected String timeLiteral(String type, String text) {
        return "'" + text + "'";
    }

    /** By the declared type; the driver knows fewer of them than there are. */
    @Override
    public Target target(Column column) {
        String type = column.typeName().toUpperCase(Locale.ROOT);
        if (type.contains("INT")) {
            return Target.WHOLE;
        }
        if (type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") || type.contains("JSON")) {
            return Target.TEXT;
        }
        if (type.isEmpty() || type.contains("BLOB") || type.contains("BINARY")) {
            return type.isEmpty() ? Target.TEXT : Target.BINARY;
        }
        if (type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB")) {
            return Target.DOUBLE;
        }
        if (type.startsWith("BOOL")) {
            return Target.BOOLEAN;
        }
        if (type.startsWith("TIMESTAMP") || type.startsWith("DATETIME")) {
            return Target.TIMESTAMP;
        }
        return type.startsWith("DATE") ? Target.DATE : type.startsWith("TIME") ? Target.TIME : Target.DECIMAL;
    }

    @Override
    public Object check(Column column, Target target, Object converted) {
        boolean asNumber = target != Target.TEXT;
        if (converted instanceof BigDecimal decimal && asNumber && !keepsAllDigits(decimal)) {
            throw new DataProblem("the number " + decimal + " has more digits than SQLite keeps in a column of type " + column.typeName()
                + "; make it a TEXT column");
        }
        return converted;
    }

    private static boolean keepsAllDigits(BigDecimal decimal) {
        BigDecimal plain = decimal.stripTrailingZeros();
        if (plain.precision() <= 15) {
            return true;
        }
        if (plain.scale() > 0 || plain.precision() - plain.scale() > 19) {
            return false;
        }
        BigInteger whole = plain.toBigInteger();
        return whole.compareTo(LONG_MIN) >= 0 && whole.compareTo(LONG_MAX) <= 0;
    }

    @Override
    protected void setObject(PreparedStatement statement, int index, Object value) throws SQLException {
        statement.setString(index, value instanceof LocalDateTime time ? Temporal.text(time)
            : value instanceof LocalTime time ? Temporal.text(time) : value.toString());
    }
}
