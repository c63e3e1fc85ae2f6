package io.sluice.connector.jdbc.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.sluice.connector.jdbc.testing.TestDatabase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;

/** A table with a column for each type that is tried: what is written, and what has to come out as which kind of field. */
final class TypeTable {

    private record Column(String type, String literal, String schema, Object value) {
    }

    private final TestDatabase database;
    private final List<Column> columns = new ArrayList<>();

    TypeTable(TestDatabase database) {
        this.database = database;
    }

    /** @param schema as {@link #describe} has it @param value dates as their ISO text, bytes as hexadecimal */
    TypeTable column(String type, String literal, String schema, Object value) {
        columns.add(new Column(type, literal, schema, value));
        return this;
    }

    /** Writes one row of the values and one of nulls, reads both and compares. */
    void check(String... config) throws Exception {
        StringBuilder ddl = new StringBuilder("create table types (");
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            ddl.append(i == 0 ? "" : ", ").append("c").append(i).append(" ").append(columns.get(i).type());
            values.append(i == 0 ? "" : ", ").append(columns.get(i).literal());
        }
        String names = columns.stream().map(column -> "c" + columns.indexOf(column)).collect(Collectors.joining(", "));
        database.execute(ddl + ")", "insert into types (" + names + ") values (" + values + ")", "insert into types (c0) values (" + "null" + ")");
        String[] all = Arrays.copyOf(config, config.length + 4);
        System.arraycopy(new String[] {"table.whitelist", "types", "poll.interval.ms", "600000"}, 0, all, config.length, 4);
        try (SourceRun run = SourceRun.of(database, all)) {
            List<ConnectRecord> records = run.take(2);
            assertThat(records).hasSize(2);
            SoftAssertions softly = new SoftAssertions();
            Struct struct = (Struct) records.get(0).getData();
            Object[] row = SourceRun.row(struct).values().toArray();
            for (int i = 0; i < columns.size(); i++) {
                Column column = columns.get(i);
                Schema schema = struct.getSchema().getFields().get(i).getSchema();
                softly.assertThat(describe(schema)).as("schema of " + column.type()).isEqualTo(column.schema());
                softly.assertThat(plain(row[i], schema)).as("value of " + column.type() + " " + column.literal()).isEqualTo(column.value());
            }
            for (Map.Entry<String, Object> entry : SourceRun.row(records.get(1)).entrySet()) {
                softly.assertThat(entry.getValue()).as("null in " + entry.getKey()).isNull();
            }
            softly.assertAll();
        }
    }

    /** The kind of a field in a word: {@code INT64}, {@code Decimal(2)}, {@code STRING:Json}, {@code ARRAY<INT32>}. */
    static String describe(Schema schema) {
        String name = schema.getName() == null ? "" : schema.getName().substring(schema.getName().lastIndexOf('.') + 1);
        if (schema.getFieldType() == FieldType.ARRAY) {
            return "ARRAY<" + describe(schema.getValueSchema()) + ">";
        }
        if (name.equals("Decimal")) {
            return "Decimal(" + schema.getParameters().get("scale") + ")";
        }
        return name.equals("Date") || name.equals("Time") || name.equals("Timestamp") ? name : schema.getFieldType() + (name.isEmpty() ? "" : ":" + name);
    }

    static Object plain(Object value, Schema schema) {
        if (value instanceof Date date) {
            String text = date.toInstant().toString();
            return switch (describe(schema)) {
                case "Date" -> text.substring(0, text.indexOf('T'));
                case "Time" -> Long.toString(date.getTime());
                default -> text;
            };
        }
        if (value instanceof List<?> list) {
            return list.stream().map(element -> element == null ? "null" : String.valueOf(plain(element, schema.getValueSchema()))).toList();
        }
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
    }
}
