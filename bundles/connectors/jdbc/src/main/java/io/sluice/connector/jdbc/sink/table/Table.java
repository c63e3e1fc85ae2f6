package io.sluice.connector.jdbc.sink.table;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A table as the database describes it.
 *
 * @param sql its name as it stands in statements
 * @param uniqueKeys the columns of its primary key and of each unique index
 * @param keysKnown false if the database does not tell keys, as for a view
 */
public record Table(String sql, List<Column> columns, List<Set<String>> uniqueKeys, boolean keysKnown) {

    public Table {
        Objects.requireNonNull(sql, "sql");
        columns = List.copyOf(columns);
        uniqueKeys = List.copyOf(uniqueKeys);
    }

    /** The column of this name, or the only one that differs from it in nothing but case. */
    public Optional<Column> column(String name) {
        Optional<Column> exact = columns.stream().filter(column -> column.name().equals(name)).findFirst();
        if (exact.isPresent()) {
            return exact;
        }
        List<Column> similar = columns.stream().filter(column -> column.name().equalsIgnoreCase(name)).toList();
        return similar.size() == 1 ? Optional.of(similar.get(0)) : Optional.empty();
    }

    /** Whether these columns, in any order, are a key by which an upsert finds a row. */
    public boolean hasUniqueKey(Collection<Column> key) {
        Set<String> names = key.stream().map(Column::name).collect(Collectors.toSet());
        return uniqueKeys.contains(names);
    }
}
