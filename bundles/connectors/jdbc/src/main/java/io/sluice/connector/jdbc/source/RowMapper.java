package io.sluice.connector.jdbc.source;

import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.data.logical.Date;
import io.openmessaging.connector.api.data.logical.Decimal;
import io.openmessaging.connector.api.data.logical.Time;
import io.openmessaging.connector.api.data.logical.Timestamp;
import io.openmessaging.connector.api.errors.ConnectException;
import java.math.BigDecimal;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes structs of rows. The schema is built once for each shape of a result, so that converters recognise it.
 *
 * <p>No value is changed without saying so: a type that has no exact counterpart becomes text, and a type that is not known is an error.
 */
final class RowMapper {

    private static final int MILLIS_DIGITS = 3;

    /** Reads one column of the present row. */
    private interface Reader {
        Object read(ResultSet row, int column) throws SQLException;
    }

    private final Schema schema;
    private final List<Reader> readers;
    private final String table;

    private RowMapper(String table, Schema schema, List<Reader> readers) {
        this.table = table;
        this.schema = schema;
        this.readers = readers;
    }

    /** @param table for names and messages @throws ConnectException if a column's type is not known; names it */
    static RowMapper of(String table, ResultSetMetaData meta, SourceConfig config) throws SQLException {
        List<Field> fields = new ArrayList<>();
        List<Reader> readers = new ArrayList<>();
        boolean exact = !"millis".equalsIgnoreCase(config.temporal_mapping().trim());
        for (int column = 1; column <= meta.getColumnCount(); column++) {
            Map.Entry<Schema, Reader> mapped = column(table, meta, column, exact, config.lob_max_bytes());
            fields.add(new Field(column - 1, meta.getColumnLabel(column), mapped.getKey()));
            readers.add(mapped.getValue());
        }
        return new RowMapper(table, new Schema(table, FieldType.STRUCT, false, null, null, null, fields, null, null, null), readers);
    }

    private static Schema schema(FieldType type, boolean optional, String name, Map<String, String> parameters) {
        return new Schema(name, type, optional, null, null, null, null, null, null, parameters);
    }

    private static Map.Entry<Schema, Reader> column(String table, ResultSetMetaData meta, int column, boolean exact, long lobMax) throws SQLException {
        boolean optional = meta.isNullable(column) != ResultSetMetaData.columnNoNulls;
        int scale = meta.getScale(column);
        String typeName = meta.getColumnTypeName(column).toLowerCase(Locale.ROOT);
        boolean signed = !typeName.contains("unsigned");
        return switch (meta.getColumnType(column)) {
            case Types.BOOLEAN -> Map.entry(schema(FieldType.BOOLEAN, optional, null, null), orNull((row, i) -> row.getBoolean(i)));
            case Types.BIT -> meta.getPrecision(column) <= 1
                ? Map.entry(schema(FieldType.BOOLEAN, optional, null, null), orNull((row, i) -> row.getBoolean(i)))
                : Map.entry(schema(FieldType.STRING, optional, null, null), (Reader) (row, i) -> row.getString(i));
            case Types.TINYINT -> Map.entry(schema(signed ? FieldType.INT8 : FieldType.INT16, optional, null, null),
                signed ? orNull((row, i) -> row.getByte(i)) : orNull((row, i) -> row.getShort(i)));
            case Types.SMALLINT -> Map.entry(schema(signed ? FieldType.INT16 : FieldType.INT32, optional, null, null),
                signed ? orNull((row, i) -> row.getShort(i)) : orNull((row, i) -> row.getInt(i)));
            case Types.INTEGER -> Map.entry(schema(signed ? FieldType.INT32 : FieldType.INT64, optional, null, null),
                signed ? orNull((row, i) -> row.getInt(i)) : orNull((row, i) -> row.getLong(i)));
            case Types.BIGINT -> signed ? Map.entry(schema(FieldType.INT64, optional, null, null), orNull((row, i) -> row.getLong(i)))
                : decimal(optional, 0);
            case Types.REAL -> Map.entry(schema(FieldType.FLOAT32, optional, null, null), orNull((row, i) -> row.getFloat(i)));
            case Types.FLOAT, Types.DOUBLE -> Map.entry(schema(FieldType.FLOAT64, optional, null, null), orNull((row, i) -> row.getDouble(i)));
            // A decimal without a declared scale has one of its own in every row, which only text can hold.
            case Types.DECIMAL, Types.NUMERIC -> meta.getPrecision(column) > 0 && meta.getPrecision(column) <= 100_000 ? decimal(optional, scale)
                : Map.entry(schema(FieldType.STRING, optional, null, null), (Reader) (row, i) -> row.getString(i));
            case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR, Types.SQLXML, Types.ROWID ->
                Map.entry(schema(FieldType.STRING, optional, null, null), (Reader) (row, i) -> row.getString(i));
            case Types.CLOB, Types.NCLOB -> Map.entry(schema(FieldType.STRING, optional, null, null), clob(table, lobMax));
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY -> Map.entry(schema(FieldType.BYTES, optional, null, null), (Reader) (row, i) -> row.getBytes(i));
            case Types.BLOB -> Map.entry(schema(FieldType.BYTES, optional, null, null), blob(table, lobMax));
            case Types.DATE -> Map.entry(schema(FieldType.INT32, optional, Date.LOGICAL_NAME, null), orNull((row, i) -> date(row.getObject(i, LocalDate.class))));
            case Types.TIME -> exact && scale > MILLIS_DIGITS ? text(optional, LocalTime.class)
                : Map.entry(schema(FieldType.INT32, optional, Time.LOGICAL_NAME, null), orNull((row, i) -> time(row.getObject(i, LocalTime.class))));
            case Types.TIMESTAMP -> typeName.contains("timestamptz") ? zoned(optional, exact && scale > MILLIS_DIGITS)
                : exact && scale > MILLIS_DIGITS ? text(optional, LocalDateTime.class)
                : Map.entry(schema(FieldType.INT64, optional, Timestamp.LOGICAL_NAME, null), orNull((row, i) -> timestamp(row.getObject(i, LocalDateTime.class))));
            case Types.TIMESTAMP_WITH_TIMEZONE -> zoned(optional, exact && scale > MILLIS_DIGITS);
            case Types.TIME_WITH_TIMEZONE -> Map.entry(schema(FieldType.STRING, optional, null, null), (Reader) (row, i) -> row.getString(i));
            case Types.OTHER -> Map.entry(schema(FieldType.STRING, optional, null, null), other(table, meta.getColumnLabel(column), typeName));
            default -> throw unknown(table, meta.getColumnLabel(column), typeName);
        };
    }

    private static ConnectException unknown(String table, String column, String typeName) {
        return new ConnectException("column '" + column + "' of " + table + " has the type " + typeName
            + ", which cannot be copied as it is; use 'query' to select it in another form, such as CAST(" + column + " AS VARCHAR(1000))");
    }

    /** Types that only their database knows and whose text says everything. */
    private static Reader other(String table, String column, String typeName) {
        if (!typeName.matches("uuid|json|jsonb|inet|cidr|macaddr|interval|xml|citext|.*enum.*|interval .*")) {
            throw unknown(table, column, typeName);
        }
        return (row, i) -> row.getString(i);
    }

    private static Map.Entry<Schema, Reader> decimal(boolean optional, int scale) {
        return Map.entry(schema(FieldType.BYTES, optional, Decimal.LOGICAL_NAME, Map.of(Decimal.SCALE_FIELD, Integer.toString(scale))), (row, i) -> {
            BigDecimal value = row.getBigDecimal(i);
            return value == null ? null : value.setScale(scale);
        });
    }

    private static Map.Entry<Schema, Reader> text(boolean optional, Class<?> type) {
        return Map.entry(schema(FieldType.STRING, optional, null, null), (row, i) -> {
            Object value = row.getObject(i, type);
            return value == null ? null : value.toString();
        });
    }

    private static Map.Entry<Schema, Reader> zoned(boolean optional, boolean asText) {
        return asText ? text(optional, OffsetDateTime.class)
            : Map.entry(schema(FieldType.INT64, optional, Timestamp.LOGICAL_NAME, null), (Reader) (row, i) -> {
                OffsetDateTime value = row.getObject(i, OffsetDateTime.class);
                return value == null ? null : java.util.Date.from(value.toInstant());
            });
    }

    private static java.util.Date date(LocalDate value) {
        return value == null ? null : java.util.Date.from(value.atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    private static java.util.Date time(LocalTime value) {
        return value == null ? null : new java.util.Date(value.toNanoOfDay() / 1_000_000);
    }

    private static java.util.Date timestamp(LocalDateTime value) {
        return value == null ? null : java.util.Date.from(value.toInstant(ZoneOffset.UTC));
    }

    private static Reader orNull(Reader reader) {
        return (row, i) -> {
            Object value = reader.read(row, i);
            return row.wasNull() ? null : value;
        };
    }

    private static Reader clob(String table, long max) {
        return (row, i) -> {
            Clob clob = row.getClob(i);
            if (clob == null) {
                return null;
            }
            checkSize(table, clob.length(), max);
            return clob.getSubString(1, (int) clob.length());
        };
    }

    private static Reader blob(String table, long max) {
        return (row, i) -> {
            Blob blob = row.getBlob(i);
            if (blob == null) {
                return null;
            }
            checkSize(table, blob.length(), max);
            return blob.getBytes(1, (int) blob.length());
        };
    }

    private static void checkSize(String table, long length, long max) {
        if (length > max) {
            throw new ConnectException("a value in " + table + " has the length " + length + ", above 'lob.max.bytes' = " + max + "; raise that, or leave the column out by 'query'");
        }
    }

    Schema schema() {
        return schema;
    }

    /** The present row. */
    Struct map(ResultSet row) throws SQLException {
        Struct struct = new Struct(schema);
        List<Field> fields = schema.getFields();
        for (int i = 0; i < readers.size(); i++) {
            try {
                struct.put(fields.get(i), readers.get(i).read(row, i + 1));
            } catch (ArithmeticException | IllegalArgumentException e) {
                throw new ConnectException("the value of column '" + fields.get(i).getName() + "' of " + table + " does not fit its declared type: " + e.getMessage(), e);
            }
        }
        return struct;
    }

    /** For key structs: the schema of some of the columns. */
    Schema keySchema(List<String> columns) {
        List<Field> fields = new ArrayList<>();
        for (String column : columns) {
            fields.add(new Field(fields.size(), column, schema.getField(column).getSchema()));
        }
        return new Schema(schema.getName() + ".key", FieldType.STRUCT, false, null, null, null, fields, null, null, null);
    }
}
