package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.SchemaBuilder;
import io.sluice.connector.jdbc.db.SchemaNames;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The types of SQL and JDBC; what a database has beyond them, or does its own way, is added by its own class. */
class ColumnTypes {

    /** So many digits has a column whose metadata say nothing: none are lost. */
    static final int ALL_DIGITS = 9;
    private static final int UNSIGNED_BIGINT_DIGITS = 20;

    final MappingOptions options;
    final Temporals temporals;
    final Numbers numbers;
    final Large large;

    ColumnTypes(MappingOptions options) {
        this.options = options;
        this.temporals = new Temporals(options);
        this.numbers = new Numbers(options);
        this.large = new Large(options);
    }

    /**
     * How a column becomes a field.
     *
     * @param connection to ask the database about its own types, no longer than this call
     * @return empty if the type is not known
     */
    Optional<ColumnMapping> map(ColumnInfo info, Connection connection) throws SQLException {
        return Optional.ofNullable(standard(info));
    }

    final ColumnMapping standard(ColumnInfo info) {
        boolean nullable = info.nullable();
        return switch (info.jdbcType()) {
            case Types.BOOLEAN -> bool(nullable);
            case Types.BIT -> info.precision() <= 1 ? bool(nullable) : null;
            case Types.TINYINT -> info.signed() ? int8(nullable) : int16(nullable);
            case Types.SMALLINT -> info.signed() ? int16(nullable) : int32(nullable);
            case Types.INTEGER -> info.signed() ? int32(nullable) : int64(nullable);
            case Types.BIGINT -> info.signed() ? int64(nullable) : decimal(numbers.decimal(UNSIGNED_BIGINT_DIGITS, 0), nullable);
            case Types.REAL -> ColumnMapping.of(SchemaBuilder.float32(), nullable, (row, column) -> orNull(row, row.getFloat(column)));
            case Types.FLOAT, Types.DOUBLE -> ColumnMapping.of(SchemaBuilder.float64(), nullable, (row, column) -> orNull(row, row.getDouble(column)));
            case Types.NUMERIC, Types.DECIMAL -> decimal(hasScale(info) ? numbers.decimal(info.precision(), info.scale()) : numbers.unscaled(), nullable);
            case Types.CHAR, Types.NCHAR -> large.padded(info);
            case Types.VARCHAR, Types.NVARCHAR, Types.LONGVARCHAR, Types.LONGNVARCHAR -> large.text(SchemaBuilder.string(), info);
            case Types.CLOB, Types.NCLOB -> large.clob(info);
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY -> large.bytes(info);
            case Types.BLOB -> large.blob(info);
            case Types.SQLXML -> large.text(SchemaBuilder.string().name(SchemaNames.XML), info);
            default -> temporal(info);
        };
    }

    private ColumnMapping temporal(ColumnInfo info) {
        int digits = digits(info);
        boolean nullable = info.nullable();
        return switch (info.jdbcType()) {
            case Types.DATE -> temporals.date(nullable, this::readDate);
            case Types.TIME -> temporals.time(digits, nullable, this::readTime);
            case Types.TIMESTAMP -> temporals.timestamp(digits, nullable, this::readTimestamp);
            case Types.TIMESTAMP_WITH_TIMEZONE -> temporals.instant(digits, nullable, this::readInstant);
            case Types.TIME_WITH_TIMEZONE -> ColumnMapping.of(SchemaBuilder.string().name(SchemaNames.ZONED_TIME), nullable, this::readZonedTime);
            default -> null;
        };
    }

    /** False for a NUMERIC that takes numbers of any scale, Oracle's NUMBER for example. */
    boolean hasScale(ColumnInfo info) {
        return info.precision() > 0 && info.scale() > -100;
    }

    /** Digits behind the second. */
    int digits(ColumnInfo info) {
        return info.scale() >= 0 && info.scale() <= ALL_DIGITS ? info.scale() : ALL_DIGITS;
    }

    LocalDate readDate(ResultSet row, int column) throws SQLException {
        return row.getObject(column, LocalDate.class);
    }

    Long readTime(ResultSet row, int column) throws SQLException {
        LocalTime time = row.getObject(column, LocalTime.class);
        return time == null ? null : (Long) time.toNanoOfDay();
    }

    LocalDateTime readTimestamp(ResultSet row, int column) throws SQLException {
        return row.getObject(column, LocalDateTime.class);
    }

    Instant readInstant(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private Object readZonedTime(ResultSet row, int column) throws SQLException {
        OffsetTime time = row.getObject(column, OffsetTime.class);
        return time == null ? null : DateTimeFormatter.ISO_OFFSET_TIME.format(time);
    }

    /** The value, unless the column that was read last was NULL. */
    static Object orNull(ResultSet row, Object value) throws SQLException {
        return row.wasNull() ? null : value;
    }

    static ColumnMapping bool(boolean nullable) {
        return ColumnMapping.of(SchemaBuilder.bool(), nullable, (row, column) -> orNull(row, row.getBoolean(column)));
    }

    static ColumnMapping int8(boolean nullable) {
        return ColumnMapping.of(SchemaBuilder.int8(), nullable, (row, column) -> orNull(row, row.getByte(column)));
    }

    static ColumnMapping int16(boolean nullable) {
        return ColumnMapping.of(SchemaBuilder.int16(), nullable, (row, column) -> orNull(row, row.getShort(column)));
    }

    static ColumnMapping int32(boolean nullable) {
        return ColumnMapping.of(SchemaBuilder.int32(), nullable, (row, column) -> orNull(row, row.getInt(column)));
    }

    static ColumnMapping int64(boolean nullable) {
        return ColumnMapping.of(SchemaBuilder.int64(), nullable, (row, column) -> orNull(row, row.getLong(column)));
    }

    static ColumnMapping decimal(Numbers.Numeric type, boolean nullable) {
        return ColumnMapping.of(type.schema(), nullable, (row, column) -> {
            BigDecimal value = row.getBigDecimal(column);
            return value == null ? null : type.convert().apply(value);
        });
    }
}
