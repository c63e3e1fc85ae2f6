package io.sluice.connector.jdbc.sink;

import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.logical.Date;
import io.openmessaging.connector.api.data.logical.Decimal;
import io.openmessaging.connector.api.data.logical.Time;
import io.openmessaging.connector.api.data.logical.Timestamp;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.sink.Row.Cell;
import java.math.BigDecimal;

/** Which column type holds a field, for tables that the sink creates. */
final class ColumnTypes {

    private ColumnTypes() {
    }

    static String of(Database database, String column, Cell cell, boolean key) {
        if (cell.schema() == null) {
            return ofValue(database, column, cell.value(), key);
        }
        String name = cell.schema().getName();
        if (Decimal.LOGICAL_NAME.equals(name)) {
            String scale = cell.schema().getParameters().get(Decimal.SCALE_FIELD);
            return database == Database.SQLITE ? "NUMERIC" : database == Database.DERBY ? "DECIMAL(31," + scale + ")"
                : database == Database.MYSQL ? "DECIMAL(65," + scale + ")" : "DECIMAL(" + (database == Database.H2 ? 1000 : 200) + "," + scale + ")";
        }
        if (Date.LOGICAL_NAME.equals(name)) {
            return "DATE";
        }
        if (Time.LOGICAL_NAME.equals(name)) {
            return database == Database.DERBY || database == Database.SQLITE ? "TIME" : "TIME(3)";
        }
        if (Timestamp.LOGICAL_NAME.equals(name)) {
            return database == Database.MYSQL ? "DATETIME(3)" : database == Database.DERBY || database == Database.SQLITE ? "TIMESTAMP" : "TIMESTAMP(3)";
        }
        return plain(database, column, cell.schema().getFieldType(), key, cell.schema());
    }

    private static String ofValue(Database database, String column, Object value, boolean key) {
        FieldType type = value == null ? null : value instanceof BigDecimal ? FieldType.FLOAT64 : Schema.schemaType(value.getClass());
        if (type == null) {
            throw new ConnectException("the type of column '" + column + "' is not known: the record has no schema and the value is " + value
                + "; create the table yourself, or send records with a schema");
        }
        return plain(database, column, type, key, null);
    }

    private static String plain(Database database, String column, FieldType type, boolean key, Schema schema) {
        boolean mysql = database == Database.MYSQL;
        return switch (type) {
            case INT8 -> mysql || database == Database.H2 ? "TINYINT" : "SMALLINT";
            case INT16 -> "SMALLINT";
            case INT32 -> "INTEGER";
            case INT64 -> "BIGINT";
            case FLOAT32 -> mysql ? "FLOAT" : "REAL";
            case FLOAT64 -> mysql ? "DOUBLE" : "DOUBLE PRECISION";
            case BOOLEAN -> "BOOLEAN";
            case STRING -> switch (database) {
                case POSTGRESQL, SQLITE -> "TEXT";
                case MYSQL -> key ? "VARCHAR(255)" : "LONGTEXT";
                case H2 -> key ? "VARCHAR(1000)" : "VARCHAR";
                case DERBY -> key ? "VARCHAR(255)" : "VARCHAR(32672)";
                default -> key ? "VARCHAR(255)" : "VARCHAR(4000)";
            };
            case BYTES -> switch (database) {
                case POSTGRESQL -> "BYTEA";
                case MYSQL -> key ? "VARBINARY(255)" : "LONGBLOB";
                case H2 -> "VARBINARY";
                default -> "BLOB";
            };
            default -> throw new ConnectException("field '" + column + "' has the type " + type + (schema == null || schema.getName() == null ? "" : " (" + schema.getName() + ")")
                + ", which no column holds; flatten the record, or leave the field out by 'fields.whitelist'");
        };
    }
}
