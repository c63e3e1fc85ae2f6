package io.sluice.connector.jdbc.sink.write;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Groups rows by table and plan, so that as many as possible go into one batch, while the rows of one key stay in their order.
 *
 * <p>A database may hold two keys for the same row that are not equal here (a collation that ignores case, say). So rows keep their order
 * whatever their keys are, but for whole numbers, where no such doubt exists. Of rows with equal keys in one batch only the last is
 * left if it overwrites the others: some databases refuse two in one statement.
 */
final class Segments {

    /** Rows that one statement may be executed for, in order. */
    record Segment(RowPlan plan, List<Row> rows) {
    }

    private final Map<String, OfTable> tables = new LinkedHashMap<>();

    private Segments() {
    }

    static List<Segment> of(Collection<Row> rows) {
        Segments segments = new Segments();
        for (Row row : rows) {
            segments.tables.computeIfAbsent(row.plan().table().sql(), unused -> new OfTable()).add(row);
        }
        List<Segment> all = new ArrayList<>();
        segments.tables.values().forEach(table -> table.groups.forEach(group -> all.add(new Segment(group.plan, group.list()))));
        return all;
    }

    private static final class OfTable {

        private final List<Group> groups = new ArrayList<>();
        /** By key, the group of its last row; only for keys that are whole numbers. */
        private final Map<List<Object>, Integer> lastGroup = new HashMap<>();
        /** The group of the last row with another key; rows must not get before it. */
        private int barrier;

        void add(Row row) {
            boolean keyed = row.plan().keyCount() > 0;
            boolean whole = row.plan().wholeKey();
            List<Object> key = keyed ? row.key() : List.of();
            int from = !keyed ? 0 : whole ? Math.max(barrier, lastGroup.getOrDefault(key, 0)) : Math.max(0, groups.size() - 1);
            int index = from;
            while (index < groups.size() && groups.get(index).plan != row.plan()) {
                index++;
            }
            if (index == groups.size()) {
                groups.add(new Group(row.plan()));
            }
            groups.get(index).add(key, row);
            if (whole) {
                lastGroup.put(key, index);
            } else if (keyed) {
                barrier = index;
            }
        }
    }

    private static final class Group {

        private final RowPlan plan;
        private final boolean distinct;
        private final Map<Object, Row> rows = new LinkedHashMap<>();

        Group(RowPlan plan) {
            this.plan = plan;
            this.distinct = plan.overwrites() && plan.keyCount() > 0;
        }

        void add(List<Object> key, Row row) {
            if (distinct) {
                // Behind all others: one of them may be the same row to the database.
                rows.remove(key);
                rows.put(key, row);
            } else {
                rows.put(rows.size(), row);
            }
        }

        List<Row> list() {
            return List.copyOf(rows.values());
        }
    }
}
