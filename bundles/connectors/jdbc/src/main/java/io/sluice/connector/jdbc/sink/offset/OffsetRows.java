package io.sluice.connector.jdbc.sink.offset;

import io.sluice.connector.jdbc.sink.dialect.ValueType;
import io.sluice.connector.jdbc.sink.table.NewColumn;
import io.sluice.connector.jdbc.sink.table.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * The statements on the table of queue offsets: one row for each connector and queue, with the offset of the next record to write and a
 * number that grows with each new owner of the queue. They take part in the connection's transaction.
 */
final class OffsetRows {

    /** Next offset of a queue of which nothing was written yet. */
    static final long NONE = -1;

    private static final List<String> KEY = List.of("connector", "topic", "broker", "queue_id");

    private final String table;
    private final String connector;
    private final String next;
    private final String generation;
    private final String names;
    private final String where;

    /** What is stored for a queue. */
    record Stored(long next, long generation) {
    }

    /**
     * @param table has all the columns
     * @param connector the name of the connector
     * @param quote makes a column's name fit for a statement
     */
    OffsetRows(Table table, String connector, UnaryOperator<String> quote) {
        this.table = table.sql();
        this.connector = Objects.requireNonNull(connector, "connector");
        UnaryOperator<String> stored = name -> quote.apply(table.column(name).orElseThrow().name());
        this.next = stored.apply("next_offset");
        this.generation = stored.apply("generation");
        this.names = String.join(", ", columns().stream().map(column -> stored.apply(column.name())).toList());
        this.where = " WHERE " + String.join(" AND ", KEY.stream().map(column -> stored.apply(column) + " = ?").toList());
    }

    /** The columns of the table. */
    static List<NewColumn> columns() {
        return List.of(column("connector", ValueType.Kind.STRING, true), column("topic", ValueType.Kind.STRING, true),
            column("broker", ValueType.Kind.STRING, true), column("queue_id", ValueType.Kind.INT32, true),
            column("next_offset", ValueType.Kind.INT64, false), column("generation", ValueType.Kind.INT64, false));
    }

    private static NewColumn column(String name, ValueType.Kind kind, boolean key) {
        return new NewColumn(name, new ValueType(kind, OptionalInt.empty(), 0, Optional.empty()), key, false, Optional.empty());
    }

    Optional<Stored> read(Connection connection, Place place) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT " + next + ", " + generation + " FROM " + table + where)) {
            setKey(statement, 1, place);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() ? Optional.of(new Stored(result.getLong(1), result.getLong(2))) : Optional.empty();
            }
        }
    }

    void insert(Connection connection, Place place) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO " + table + " (" + names + ") VALUES (?, ?, ?, ?, ?, ?)")) {
            int index = setKey(statement, 1, place);
            statement.setLong(index, NONE);
            statement.setLong(index + 1, 0);
            statement.executeUpdate();
        }
    }

    /** Makes the next generation, and locks the row up to the end of the transaction. @return false if there is no row */
    boolean claim(Connection connection, Place place) throws SQLException {
        String sql = "UPDATE " + table + " SET " + generation + " = " + generation + " + 1" + where;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            setKey(statement, 1, place);
            return statement.executeUpdate() == 1;
        }
    }

    /**
     * Moves the offset, and locks the row up to the end of the transaction.
     *
     * @return false if the row is not what it was taken for: the generation or the offset is another, and nothing was changed
     */
    boolean advance(Connection connection, Place place, Stored expected, long to) throws SQLException {
        String sql = "UPDATE " + table + " SET " + next + " = ?" + where + " AND " + generation + " = ? AND " + next + " = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, to);
            int index = setKey(statement, 2, place);
            statement.setLong(index, expected.generation());
            statement.setLong(index + 1, expected.next());
            return statement.executeUpdate() == 1;
        }
    }

    private int setKey(PreparedStatement statement, int from, Place place) throws SQLException {
        statement.setString(from, connector);
        statement.setString(from + 1, place.topic());
        statement.setString(from + 2, place.broker());
        statement.setInt(from + 3, place.queue());
        return from + 4;
    }
}
