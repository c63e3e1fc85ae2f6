package io.sluice.connector.jdbc.source.read;

import io.sluice.connector.jdbc.db.Database;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One question for what is new: its SQL, and the values of its parameters. */
final class Scan {

    @FunctionalInterface
    private interface Parameter {
        void bind(PreparedStatement statement, int number) throws SQLException;
    }

    private final StringBuilder sql = new StringBuilder();
    private final List<String> conditions = new ArrayList<>();
    private final List<Parameter> parameters = new ArrayList<>();

    private Scan() {
    }

    /** A question that has no rows for an answer, to learn of the columns. */
    static String probe(Unit unit, Database database) {
        return "select * from " + source(unit, database) + " where 1 = 0";
    }

    /** Rows of a kind, to see whether there are any. */
    static String search(Unit unit, Database database, String condition) {
        return "select * from " + source(unit, database) + " where " + condition;
    }

    /** All rows, in whatever order. */
    static Scan everything(Unit unit, Database database) {
        Scan scan = new Scan();
        // A query stands as it is, its own order included.
        scan.sql.append(unit.table().isPresent() ? "select * from " + source(unit, database) : unit.query());
        return scan;
    }

    /**
     * The rows after a position, in order.
     *
     * @param bound only rows of earlier times are wanted; there if and only if there are times
     */
    static Scan after(Position position, Unit unit, Database database, OrderColumns columns, TimeOrder time, Optional<Instant> bound) {
        Scan scan = new Scan();
        List<String> order = new ArrayList<>();
        Optional<String> number = columns.incrementing().map(column -> database.quoted(column.label()));
        if (bound.isPresent()) {
            String expression = time.expression();
            order.add(expression);
            boolean withNumber = number.isPresent() && position.incrementing().isPresent();
            position.timestamp().ifPresent(last -> {
                scan.add(expression + (position.inclusive() || withNumber ? " >= ?" : " > ?"), time, last);
                if (withNumber) {
                    scan.add("(" + expression + " > ? or " + number.get() + " > ?)", time, last);
                    scan.parameters.add(number(position.incrementing().get()));
                }
            });
            scan.add(expression + " < ?", time, bound.get());
        } else if (position.incrementing().isPresent()) {
            scan.conditions.add(number.orElseThrow() + " > ?");
            scan.parameters.add(number(position.incrementing().get()));
        }
        number.ifPresent(column -> {
            order.add(column);
            if (position.incrementing().isEmpty()) {
                scan.conditions.add(column + " is not null");
            }
        });
        scan.sql.append("select * from ").append(source(unit, database)).append(" where ").append(String.join(" and ", scan.conditions))
            .append(" order by ").append(String.join(", ", order));
        return scan;
    }

    /** The line break ends a comment that may stand at the end of a query. */
    private static String source(Unit unit, Database database) {
        return unit.table().map(database::quoted).orElseGet(() -> "(" + unit.query() + "\n) sluice_query");
    }

    private void add(String condition, TimeOrder time, Instant value) {
        conditions.add(condition);
        parameters.add((statement, number) -> time.bind(statement, number, value));
    }

    private static Parameter number(BigDecimal value) {
        return (statement, number) -> {
            if (value.scale() <= 0 && value.abs().precision() - value.scale() <= 18) {
                statement.setLong(number, value.longValueExact());
            } else {
                statement.setBigDecimal(number, value);
            }
        };
    }

    String sql() {
        return sql.toString();
    }

    void bind(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            parameters.get(i).bind(statement, i + 1);
        }
    }

    @Override
    public String toString() {
        return sql();
    }
}
