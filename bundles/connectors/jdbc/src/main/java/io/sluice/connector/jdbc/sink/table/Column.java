package io.sluice.connector.jdbc.sink.table;

import java.util.Objects;

/**
 * A column of a table, as the database describes it.
 *
 * @param name its name as stored
 * @param jdbcType one of {@link java.sql.Types}
 * @param typeName the database's name of the type
 * @param size characters, bytes or digits; 0 if there is no limit
 * @param scale digits behind the point
 * @param nullable whether it takes null
 * @param filled whether the database has a value of its own for it when none is given
 */
public record Column(String name, int jdbcType, String typeName, int size, int scale, boolean nullable, boolean filled) {

    public Column {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(typeName, "typeName");
    }
}
