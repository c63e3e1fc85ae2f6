package io.sluice.connector.jdbc.source.read;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.db.Database;
import io.sluice.connector.jdbc.db.Vendor;
import io.sluice.connector.jdbc.source.column.ColumnInfo;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The columns that rows are put in order by, found in a table or query and checked.
 *
 * @param incrementing the column that only grows
 * @param timestamps the columns with the time of the last change; the first that is not null counts
 * @param kind what times these are
 * @param digits digits behind the second that these times can have; negative for whole days
 */
record OrderColumns(Optional<ColumnInfo> incrementing, List<ColumnInfo> timestamps, TimeKind kind, int digits) {

    /** What kind of time a column holds: how it is read and compared. */
    enum TimeKind {
        /** A point in time. */
        ZONED,
        /** A local time without a zone. */
        LOCAL,
        /** A day. */
        DAY,
        /** SQLite's: a text in UTC, or milliseconds since 1970. */
        SQLITE
    }

    /** Nanoseconds. */
    private static final int ALL = 9;

    static OrderColumns none() {
        return new OrderColumns(Optional.empty(), List.of(), TimeKind.LOCAL, 0);
    }

    /** @param primaryKey the names of the primary key's columns, empty if there is none or it is not known */
    static OrderColumns find(Unit unit, Database database, List<ColumnInfo> columns, List<String> primaryKey, ReadOptions options) {
        Optional<ColumnInfo> incrementing = options.mode().hasIncrementing() ? Optional.of(incrementing(unit, columns, primaryKey, options)) : Optional.empty();
        List<ColumnInfo> timestamps = new ArrayList<>();
        TimeKind kind = TimeKind.LOCAL;
        int digits = ALL;
        if (options.mode().hasTimestamp()) {
            for (String name : options.timestampColumns()) {
                ColumnInfo column = named(unit, columns, name, "timestamp.column.name");
                TimeKind its = kind(unit, database, column);
                if (!timestamps.isEmpty() && its != kind) {
                    throw new ConnectException(unit + ": the columns of 'timestamp.column.name' are of different kinds, '" + timestamps.get(0).label() + "' "
                        + timestamps.get(0).typeName() + " and '" + column.label() + "' " + column.typeName() + "; bring them to one type by a 'query'");
                }
                kind = its;
                timestamps.add(column);
                digits = Math.min(digits, digits(database, column, its));
            }
        }
        OrderColumns found = new OrderColumns(incrementing, List.copyOf(timestamps), kind, digits);
        // The columns of a query are seldom known to have no nulls.
        if (options.requireNonNull() && unit.table().isPresent()) {
            found.requireNonNull(unit, primaryKey);
        }
        return found;
    }

    private static ColumnInfo incrementing(Unit unit, List<ColumnInfo> columns, List<String> primaryKey, ReadOptions options) {
        if (options.incrementingColumn().isPresent()) {
            ColumnInfo column = named(unit, columns, options.incrementingColumn().get(), "incrementing.column.name");
            if (!isExactNumber(column)) {
                throw new ConnectException(unit + ": the column '" + column.label() + "' is of type " + column.typeName()
                    + "; 'incrementing.column.name' needs a column of whole or decimal numbers");
            }
            return column;
        }
        List<ColumnInfo> found = columns.stream().filter(ColumnInfo::autoIncrement).toList();
        if (found.isEmpty() && primaryKey.size() == 1) {
            found = columns.stream().filter(column -> column.label().equals(primaryKey.get(0)) && isWholeNumber(column)).toList();
        }
        if (found.size() != 1) {
            throw new ConnectException(unit + ": " + (found.isEmpty() ? "no column numbers its rows by itself" : "several columns number its rows, "
                + found.stream().map(ColumnInfo::label).collect(Collectors.joining(", "))) + "; name the one that only grows in 'incrementing.column.name'");
        }
        return found.get(0);
    }

    private static boolean isWholeNumber(ColumnInfo column) {
        return switch (column.jdbcType()) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> true;
            default -> false;
        };
    }

    private static boolean isExactNumber(ColumnInfo column) {
        return isWholeNumber(column) || column.jdbcType() == Types.NUMERIC || column.jdbcType() == Types.DECIMAL;
    }

    private static ColumnInfo named(Unit unit, List<ColumnInfo> columns, String name, String key) {
        Optional<ColumnInfo> exact = columns.stream().filter(column -> column.label().equals(name)).findFirst();
        if (exact.isPresent()) {
            return exact.get();
        }
        List<ColumnInfo> alike = columns.stream().filter(column -> column.label().equalsIgnoreCase(name)).toList();
        if (alike.size() == 1) {
            return alike.get(0);
        }
        throw new ConnectException(unit + " has no column '" + name + "', which '" + key + "' names; it has "
            + columns.stream().map(ColumnInfo::label).collect(Collectors.joining(", ")));
    }

    private static TimeKind kind(Unit unit, Database database, ColumnInfo column) {
        if (database.vendor() == Vendor.SQLITE) {
            return TimeKind.SQLITE;
        }
        if (column.jdbcType() == Types.TIMESTAMP_WITH_TIMEZONE || column.typeName().equals("timestamptz")
            || database.vendor() == Vendor.MYSQL && column.typeName().equalsIgnoreCase("TIMESTAMP")) {
            return TimeKind.ZONED;
        }
        if (column.jdbcType() == Types.TIMESTAMP) {
            return TimeKind.LOCAL;
        }
        if (column.jdbcType() == Types.DATE) {
            return TimeKind.DAY;
        }
        throw new ConnectException(unit + ": the column '" + column.label() + "' is of type " + column.typeName()
            + "; 'timestamp.column.name' needs a column of a date or timestamp type");
    }

    /** Where the metadata say nothing, whole seconds: to wait for the next one costs a second, to be wrong costs rows. */
    private static int digits(Database database, ColumnInfo column, TimeKind kind) {
        return switch (kind) {
            case DAY -> -1;
            case SQLITE -> 0;
            case LOCAL, ZONED -> switch (database.vendor()) {
                case MYSQL -> Math.max(Math.max(0, column.scale()), Math.max(0, column.precision() - 20));
                default -> Math.max(0, Math.min(ALL, column.scale()));
            };
        };
    }

    private void requireNonNull(Unit unit, List<String> primaryKey) {
        // SQLite's driver says of a primary key that it may be null.
        incrementing.filter(column -> column.nullable() && !primaryKey.contains(column.label())).ifPresent(column -> refuseNulls(unit, "incrementing.column.name", column.label()));
        if (!timestamps.isEmpty() && timestamps.stream().allMatch(ColumnInfo::nullable)) {
            refuseNulls(unit, "timestamp.column.name", timestamps.stream().map(ColumnInfo::label).collect(Collectors.joining(", ")));
        }
    }

    /** What is true of rows that have no place in the order. */
    List<String> nullConditions(Database database) {
        List<String> conditions = new ArrayList<>();
        incrementing.ifPresent(column -> conditions.add(database.quoted(column.label()) + " is null"));
        if (!timestamps.isEmpty()) {
            conditions.add(timestamps.stream().map(column -> database.quoted(column.label()) + " is null").collect(Collectors.joining(" and ")));
        }
        return conditions;
    }

    private static void refuseNulls(Unit unit, String key, String columns) {
        throw new ConnectException(unit + ": the column '" + columns + "', which '" + key + "' names, may be null, and rows where it is would never be read; "
            + "declare it NOT NULL, or set 'validate.non.null' to false if there are none");
    }
}
