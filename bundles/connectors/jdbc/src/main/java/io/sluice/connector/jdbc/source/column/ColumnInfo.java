package io.sluice.connector.jdbc.source.column;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * One column of a result, as the driver describes it.
 *
 * @param label the name that the column has in the result
 * @param jdbcType one of {@link java.sql.Types}
 * @param typeName the database's own name of the type
 * @param precision digits, characters or bytes; what 0 means depends on the type and the driver
 * @param scale digits behind the point, or of the fraction of a second
 * @param nullable false only if the database says that there are no nulls
 * @param signed false for unsigned numbers, and for types without a sign
 * @param autoIncrement true if the database numbers the rows by it
 */
public record ColumnInfo(String label, int jdbcType, String typeName, int precision, int scale, boolean nullable, boolean signed, boolean autoIncrement) {

    public static List<ColumnInfo> of(ResultSetMetaData metaData) throws SQLException {
        List<ColumnInfo> columns = new ArrayList<>(metaData.getColumnCount());
        for (int i = 1; i <= metaData.getColumnCount(); i++) {
            String typeName = metaData.getColumnTypeName(i);
            columns.add(new ColumnInfo(metaData.getColumnLabel(i), metaData.getColumnType(i), typeName == null ? "" : typeName, metaData.getPrecision(i),
                metaData.getScale(i), metaData.isNullable(i) != ResultSetMetaData.columnNoNulls, metaData.isSigned(i), metaData.isAutoIncrement(i)));
        }
        return List.copyOf(columns);
    }

    /** For messages: the name with its type. */
    String described() {
        return "column '" + label + "' of type " + (typeName.isEmpty() ? "JDBC " + jdbcType : typeName);
    }
}
