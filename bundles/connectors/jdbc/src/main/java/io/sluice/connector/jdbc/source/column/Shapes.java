package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.db.Vendor;
import io.sluice.connector.jdbc.source.column.MappingOptions.Unknown;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Makes the shapes of one table's or query's results, and gives the same one again as long as the columns are the same. For one thread. */
public final class Shapes {

    private final String source;
    private final String schemaName;
    private final ColumnTypes types;
    private final MappingOptions options;
    private Shape last;
    private List<String> lastKey;

    /**
     * @param source what is read, for messages: {@code table public.orders}
     * @param schemaName the name of the records' schema
     */
    public Shapes(String source, String schemaName, Vendor vendor, MappingOptions options) {
        this.source = Objects.requireNonNull(source, "source");
        this.schemaName = Objects.requireNonNull(schemaName, "schemaName");
        this.options = Objects.requireNonNull(options, "options");
        this.types = switch (vendor) {
            case POSTGRESQL -> new PostgresTypes(options);
            case MYSQL -> new MySqlTypes(options);
            case H2 -> new H2Types(options);
            case DERBY -> new DerbyTypes(options);
            case SQLITE -> new SqliteTypes(options);
            case GENERIC -> new ColumnTypes(options);
        };
    }

    /**
     * The shape of a result.
     *
     * @param key the columns that make the records' key, in that order; empty for none
     * @throws ConnectException if a column cannot be mapped; names it and the remedy
     */
    public Shape of(ResultSet result, List<String> key) throws SQLException {
        List<ColumnInfo> columns = ColumnInfo.of(result.getMetaData());
        if (last == null || !last.columns().equals(columns) || !key.equals(lastKey)) {
            last = build(columns, key, result.getStatement().getConnection());
            lastKey = List.copyOf(key);
        }
        return last;
    }

    /**
     * True if the result is of the form that the last one had, or if there was none.
     *
     * @param vendor SQLite's driver takes a column's type from the first row, so that there only the names count
     */
    public boolean isLast(ResultSet result, Vendor vendor) throws SQLException {
        List<ColumnInfo> columns = ColumnInfo.of(result.getMetaData());
        return last == null || last.columns().equals(columns) || vendor == Vendor.SQLITE
            && last.columns().stream().map(ColumnInfo::label).toList().equals(columns.stream().map(ColumnInfo::label).toList());
    }

    private Shape build(List<ColumnInfo> columns, List<String> key, Connection connection) throws SQLException {
        SchemaBuilder schema = SchemaBuilder.struct().name(schemaName).required();
        List<ColumnReader> readers = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        List<Schema> fields = new ArrayList<>();
        List<String> names = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < columns.size(); i++) {
            ColumnInfo info = columns.get(i);
            if (!seen.add(info.label())) {
                throw new ConnectException(source + " has two columns named '" + info.label() + "'; give one of them another name with AS");
            }
            Optional<ColumnMapping> mapping = map(info, connection);
            if (mapping.isPresent()) {
                schema.field(info.label(), mapping.get().schema());
                fields.add(mapping.get().schema());
                names.add(info.label());
                readers.add(mapping.get().reader());
                numbers.add(i + 1);
            }
        }
        int[] keyFields = key.stream().mapToInt(name -> field(names, name)).toArray();
        return new Shape(source, columns, readers.toArray(ColumnReader[]::new), numbers.stream().mapToInt(Integer::intValue).toArray(), schema.build(),
            key.isEmpty() ? null : keySchema(names, fields, keyFields), keyFields);
    }

    private Optional<ColumnMapping> map(ColumnInfo info, Connection connection) throws SQLException {
        Optional<ColumnMapping> mapping = types.map(info, connection);
        if (mapping.isPresent() || options.unknownTypes() == Unknown.SKIP) {
            return mapping;
        }
        if (options.unknownTypes() == Unknown.TEXT) {
            return Optional.of(types.large.text(SchemaBuilder.string(), info));
        }
        throw new ConnectException(source + ", " + info.described() + ": there is no field for this type; set 'unknown.types' to text or skip, "
            + "or cast or leave out the column by a 'query'");
    }

    private int field(List<String> names, String key) {
        int exact = names.indexOf(key);
        if (exact >= 0) {
            return exact;
        }
        List<String> alike = names.stream().filter(key::equalsIgnoreCase).toList();
        if (alike.size() == 1) {
            return names.indexOf(alike.get(0));
        }
        throw new ConnectException(source + " has no column '" + key + "' for the key; there are " + String.join(", ", names));
    }

    private Schema keySchema(List<String> names, List<Schema> fields, int[] keyFields) {
        SchemaBuilder schema = SchemaBuilder.struct().name(schemaName + ".Key").required();
        for (int field : keyFields) {
            schema.field(names.get(field), fields.get(field));
        }
        return schema.build();
    }
}
