package io.sluice.connector.jdbc.sink.dialect;

import io.sluice.connector.jdbc.sink.bind.RawText;
import io.sluice.connector.jdbc.sink.bind.Rules;
import io.sluice.connector.jdbc.sink.bind.Target;
import io.sluice.connector.jdbc.sink.table.Column;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * MySQL and MariaDB. A TIMESTAMP is an instant there and is written as UTC, which is what the session's zone is set to; a DATETIME is local
 * time. The session is strict, so that a value that does not fit is refused instead of cut.
 */
public final class MySqlDialect extends Dialect {

    public MySqlDialect(UnaryOperator<String> quote, Rules rules) {
        super(quote, rules);
    }

    @Override
    public Optional<Sql> upsert(String table, List<String> keys, List<String> values) {
        Sql insert = insert(table, keys, values);
        // Something has to be set: a key set to itself changes nothing.
        List<String> set = values.isEmpty() ? List.of(keys.get(0)) : values;
        String action = set.stream().map(column -> quote(column) + " = VALUES(" + quote(column) + ")").collect(Collectors.joining(", "));
        return Optional.of(new Sql(insert.text() + " ON DUPLICATE KEY UPDATE " + action, insert.slots()));
    }

    /** Without one every upsert would silently be an insert. */
    @Override
    public boolean upsertNeedsUniqueKey() {
        return true;
    }

    @Override
    protected String tableOptions() {
        return " DEFAULT CHARACTER SET utf8mb4";
    }

    @Override
    public String columnType(ValueType type, boolean key) {
        return switch (type.kind()) {
            case INT8 -> "TINYINT";
            case INT32 -> "INT";
            case FLOAT32 -> "FLOAT";
            case FLOAT64 -> "DOUBLE";
            case BOOLEAN -> "TINYINT(1)";
            // The usual collations take a and A for the same key.
            case STRING -> key ? "VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin" : "LONGTEXT CHARACTER SET utf8mb4";
            case BYTES -> key ? "VARBINARY(255)" : "LONGBLOB";
            case DECIMAL -> decimalType("DECIMAL", type, type.scale() > 30 ? 30 : 65);
            case TIME -> "TIME(3)";
            case TIMESTAMP -> "DATETIME(3)";
            case TEXT_TIMESTAMP, TEXT_INSTANT, MICRO_TIMESTAMP -> "DATETIME(6)";
            default -> super.columnType(type, key);
        };
    }

    @Override
    protected String booleanLiteral(boolean value) {
        return value ? "1" : "0";
    }

    /** In brackets, since a text column takes no other default. */
    @Override
    protected String textLiteral(String value) {
        return "('" + value.replace("\\", "\\\\").replace("'", "''") + "')";
    }

    @Override
    protected String timeLiteral(String type, String text) {
        return "'" + text + "'";
    }

    @Override
    public Target target(Column column) {
        String type = column.typeName().toUpperCase(Locale.ROOT);
        if (type.startsWith("BIT")) {
            return Target.BITS;
        }
        if (type.startsWith("YEAR") || type.contains("INT")) {
            return Target.WHOLE;
        }
        if (type.startsWith("TIMESTAMP")) {
            return Target.TIMESTAMP_ZONED;
        }
        return type.startsWith("BOOL") ? Target.BOOLEAN : super.target(column);
    }

    @Override
    protected boolean readsTimesAsText() {
        return true;
    }

    @Override
    public void set(PreparedStatement statement, int index, Column column, Target target, Object value) throws SQLException {
        if (value instanceof OffsetDateTime time) {
            statement.setObject(index, LocalDateTime.ofInstant(time.toInstant(), ZoneOffset.UTC));
        } else if (value instanceof RawText raw && target == Target.BITS) {
            statement.setBytes(index, unsigned(new BigInteger(raw.text(), 2)));
        } else if (value == null && column.jdbcType() == Types.OTHER) {
            statement.setNull(index, Types.VARCHAR);
        } else {
            super.set(statement, index, column, target, value);
        }
    }

    private static byte[] unsigned(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return bytes.length > 1 && bytes[0] == 0 ? java.util.Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }

    @Override
    public List<String> sessionSetup() {
        return List.of("SET SESSION time_zone = '+00:00'", "SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',STRICT_ALL_TABLES')");
    }
}
