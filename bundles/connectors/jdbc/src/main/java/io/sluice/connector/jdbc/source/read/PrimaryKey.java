package io.sluice.connector.jdbc.source.read;

import io.sluice.connector.jdbc.db.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeMap;

/** The primary key of a table. */
final class PrimaryKey {

    private PrimaryKey() {
    }

    /** The names of its columns in the key's order; empty if there is none. */
    static List<String> of(Connection connection, TableName table) throws SQLException {
        TreeMap<Short, String> columns = new TreeMap<>();
        try (ResultSet keys = connection.getMetaData().getPrimaryKeys(table.catalog().orElse(null), table.schema().orElse(null), table.table())) {
            while (keys.next()) {
                columns.put(keys.getShort("KEY_SEQ"), keys.getString("COLUMN_NAME"));
            }
        }
        return List.copyOf(columns.values());
    }
}
