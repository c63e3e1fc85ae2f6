package io.sluice.connector.jdbc.source.column;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads the value of one column from the current row. */
@FunctionalInterface
interface ColumnReader {

    /**
     * @param column counted from 1
     * @return the value as the column's schema says; null for SQL's NULL
     * @throws ValueProblem if the value has no counterpart
     */
    Object read(ResultSet row, int column) throws SQLException;
}
