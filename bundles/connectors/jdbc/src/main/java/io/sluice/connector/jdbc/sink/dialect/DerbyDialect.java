package io.sluice.connector.jdbc.sink.dialect;

import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.connector.jdbc.sink.bind.Rules;
import io.sluice.connector.jdbc.sink.bind.Target;
import io.sluice.connector.jdbc.sink.bind.Temporal;
import io.sluice.connector.jdbc.sink.table.Column;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Apache Derby. Its driver does not know {@code java.time}; it reads text for dates and times, without any zone in the way. */
public final class DerbyDialect extends Dialect {

    public DerbyDialect(UnaryOperator<String> quote, Rules rules) {
        super(quote, rules);
    }

    @Override
    public Optional<Sql> upsert(String table, List<String> keys, List<String> values) {
        int width = keys.size() + values.size();
        StringBuilder text = new StringBuilder("MERGE INTO " + table + " AS t USING SYSIBM.SYSDUMMY1 ON ");
        text.append(keys.stream().map(key -> "t." + quote(key) + " = ?").collect(java.util.stream.Collectors.joining(" AND ")));
        int[] update = {};
        if (!values.isEmpty()) {
            text.append(" WHEN MATCHED THEN UPDATE SET ").append(assignments(values));
            update = Sql.range(keys.size(), width);
        }
        text.append(" WHEN NOT MATCHED THEN INSERT (").append(names(concat(keys, values))).append(") VALUES (").append(marks(width)).append(')');
        return Optional.of(new Sql(text.toString(), Sql.join(Sql.range(0, keys.size()), update, Sql.range(0, width))));
    }

    @Override
    public String columnType(ValueType type, boolean key) {
        return switch (type.kind()) {
            case FLOAT64 -> "DOUBLE";
            case STRING -> key ? "VARCHAR(255)" : "VARCHAR(32672)";
            case BYTES -> key ? "VARCHAR(255) FOR BIT DATA" : "BLOB";
            case DECIMAL -> decimalType("DECIMAL", type, 31);
            default -> super.columnType(type, key);
        };
    }

    @Override
    protected String timeLiteral(String type, String text) {
        return type + "('" + text + "')";
    }

    @Override
    public Object check(Column column, Target target, Object converted) {
        if (converted instanceof LocalTime time && time.getNano() != 0) {
            throw new DataProblem("the time " + time + " has a part of a second, which Derby's TIME would drop; make the column a VARCHAR(18) to keep it");
        }
        return converted;
    }

    @Override
    protected void setObject(PreparedStatement statement, int index, Object value) throws SQLException {
        statement.setString(index, value instanceof LocalDateTime time ? Temporal.text(time)
            : value instanceof LocalTime time ? Temporal.text(time) : value.toString());
    }
}
