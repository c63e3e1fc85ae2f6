package io.sluice.connector.jdbc.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.data.logical.Time;
import io.sluice.connector.jdbc.db.SchemaNames;
import io.sluice.connector.jdbc.testing.TestDatabase;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every type of a schema, written into the column that the sink makes for it and read back, on every database. */
class TypesTest {

    private static final Schema ALL = SchemaBuilder.struct().required()
        .field("id", Records.INT64)
        .field("i8", SchemaBuilder.int8().optional().build())
        .field("i16", SchemaBuilder.int16().optional().build())
        .field("i32", SchemaBuilder.int32().optional().build())
        .field("i64", SchemaBuilder.int64().optional().build())
        .field("f32", SchemaBuilder.float32().optional().build())
        .field("f64", SchemaBuilder.float64().optional().build())
        .field("bool", SchemaBuilder.bool().optional().build())
        .field("text", SchemaBuilder.string().optional().build())
        .field("bytes", SchemaBuilder.bytes().optional().build())
        .field("dec", SchemaBuilder.decimal(4).optional().build())
        .field("u64", SchemaBuilder.decimal(0).optional().build())
        .field("day", SchemaBuilder.date().optional().build())
        .field("clock", Time.builder().optional().build())
        .field("instant", SchemaBuilder.timestamp().optional().build())
        .build();

    private static Date date(String instant) {
        return Date.from(Instant.parse(instant));
    }

    private static List<Struct> samples() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return List.of(
            Records.struct(ALL, "id", 1L, "i8", Byte.MIN_VALUE, "i16", Short.MIN_VALUE, "i32", Integer.MIN_VALUE, "i64", Long.MIN_VALUE, "f32", -1.5f, "f64", -0.1,
                "bool", true, "text", "žluťoučký kůň \uD83D\uDC0E ' \" \\ % \n\t", "bytes", bytes, "dec", new BigDecimal("-12345678901234567890.1234"),
                "u64", new BigDecimal("18446744073709551615"), "day", date("1901-12-31T00:00:00Z"), "clock", new Date(0), "instant", date("1969-12-31T23:59:59.999Z")),
            Records.struct(ALL, "id", 2L, "i8", Byte.MAX_VALUE, "i16", Short.MAX_VALUE, "i32", Integer.MAX_VALUE, "i64", Long.MAX_VALUE, "f32", 1.17549435E-38f,
                "f64", Double.MAX_VALUE, "bool", false, "text", "", "bytes", new byte[0], "dec", new BigDecimal("0.0001"), "u64", new BigDecimal("0"),
                // An hour that the zone of most machines in Europe skips, and the last moment of a day.
                "day", date("2024-02-29T00:00:00Z"), "clock", new Date(86_399_000), "instant", date("2026-03-29T02:30:00.123Z")),
            Records.struct(ALL, "id", 3L, "f32", 0.1f, "f64", 1.0 / 3, "dec", new BigDecimal("1.0000"), "day", date("9999-12-31T00:00:00Z"), "clock", new Date(43_200_000),
                "instant", date("2038-01-19T03:14:08Z")),
            Records.struct(ALL, "id", 4L));
    }

    /** A row in the plain types of a schema, whatever the driver makes of the columns. */
    private static Struct read(ResultSet row) throws SQLException {
        Struct struct = new Struct(ALL);
        struct.put("id", row.getLong("id"));
        struct.put("i8", row.getObject("i8") == null ? null : row.getByte("i8"));
        struct.put("i16", row.getObject("i16") == null ? null : row.getShort("i16"));
        struct.put("i32", row.getObject("i32") == null ? null : row.getInt("i32"));
        struct.put("i64", row.getObject("i64") == null ? null : row.getLong("i64"));
        struct.put("f32", row.getObject("f32") == null ? null : row.getFloat("f32"));
        struct.put("f64", row.getObject("f64") == null ? null : row.getDouble("f64"));
        struct.put("bool", row.getObject("bool") == null ? null : row.getBoolean("bool"));
        struct.put("text", row.getString("text"));
        struct.put("bytes", row.getBytes("bytes"));
        struct.put("dec", decimal(row.getString("dec")));
        struct.put("u64", decimal(row.getString("u64")));
        struct.put("day", dateOf(row.getString("day"), "T00:00:00"));
        struct.put("clock", dateOf(row.getString("clock"), ""));
        struct.put("instant", dateOf(row.getString("instant"), ""));
        return struct;
    }

    private static BigDecimal decimal(String text) {
        return text == null ? null : new BigDecimal(text);
    }

    private static Date dateOf(String text, String more) {
        if (text == null) {
            return null;
        }
        String full = (text.contains(":") && !text.contains("-") ? "1970-01-01T" : "") + text.replace(' ', 'T') + more;
        return Date.from(LocalDateTime.parse(full).atZone(ZoneId.of("UTC")).toInstant());
    }

    @ParameterizedTest
    @EnumSource
    void keepsEveryValueOfEveryType(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("types");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "insert.mode", "upsert", "pk.mode", "record_value", "pk.fields", "id")) {
            for (int i = 0; i < 2; i++) {
                run.put(samples().stream().map(sample -> records.record(null, null, ALL, sample)).toList());
            }
        }
        List<Struct> found = new ArrayList<>();
        // A FLOAT has six digits in MariaDB's text protocol, and all of them in the binary one.
        TestDatabase binary = engine == Engine.MARIADB ? new TestDatabase(database.url() + "?useServerPrepStmts=true", database.user(), database.password()) : database;
        try (Connection connection = binary.connect(); var statement = connection.prepareStatement("SELECT * FROM " + engine.quote("types") + " ORDER BY 1");
             ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(read(rows));
            }
        }
        List<Struct> wanted = samples();
        assertThat(found).hasSameSizeAs(wanted);
        for (int row = 0; row < wanted.size(); row++) {
            for (int field = 0; field < ALL.getFields().size(); field++) {
                Object value = found.get(row).getValues()[field];
                Object sample = wanted.get(row).getValues()[field];
                String name = ALL.getFields().get(field).getName();
                if (sample instanceof BigDecimal decimal) {
                    assertThat((BigDecimal) value).as("%s of row %d", name, row).isEqualByComparingTo(decimal);
                } else {
                    assertThat(value).as("%s of row %d", name, row).isEqualTo(sample);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesTimestampsInTheZoneOfTheDatabase(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("types");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "db.timezone", "America/New_York", "fields.whitelist", "day,clock,instant")) {
            run.put(records.record(null, null, ALL, Records.struct(ALL, "id", 1L, "day", date("2024-07-01T00:00:00Z"), "clock", new Date(3_600_000),
                "instant", date("2024-07-01T12:00:00Z"))));
        }
        try (Connection connection = database.connect();
             ResultSet row = connection.createStatement().executeQuery("SELECT * FROM " + engine.quote("types"))) {
            row.next();
            assertThat(row.getString("day")).startsWith("2024-07-01");
            assertThat(row.getString("clock")).startsWith("01:00:00");
            assertThat(row.getString("instant")).startsWith("2024-07-01 08:00:00");
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesStructsMapsAndListsAsJsonText(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Schema inner = SchemaBuilder.struct().field("a", Records.INT64).build();
        Schema schema = SchemaBuilder.struct().field("s", inner).field("m", SchemaBuilder.map(Records.STRING, Records.INT64).build())
            .field("l", SchemaBuilder.array(inner).build()).build();
        Records records = new Records("nested");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true")) {
            run.put(records.record(null, null, schema, Records.struct(schema, "s", Records.struct(inner, "a", 1L), "m", Map.of("ä", 2L),
                "l", List.of(Records.struct(inner, "a", Long.MAX_VALUE)))));
        }
        try (Connection connection = database.connect();
             ResultSet row = connection.createStatement().executeQuery("SELECT * FROM " + engine.quote("nested"))) {
            row.next();
            assertThat(row.getString("s")).isEqualTo("{\"a\":1}");
            assertThat(row.getString("m")).isEqualTo("{\"ä\":2}");
            assertThat(row.getString("l")).isEqualTo("[{\"a\":9223372036854775807}]");
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesALineOfTextIntoAColumnOfItsOwn(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Records records = new Records("log");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "insert.mode", "upsert", "pk.mode", "queue", "value.column", "LINE")) {
            run.put(records.record(null, null, Records.STRING, "one"), records.record(null, null, Records.STRING, "two"));
        }
        assertThat(database.query("SELECT " + engine.quote("LINE") + " FROM " + engine.quote("log") + " ORDER BY 1").toString()).isEqualTo("[[one], [two]]");
    }

    @ParameterizedTest
    @EnumSource
    void keepsLongTextsAndManyBytes(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        int length = engine == Engine.DERBY ? 30_000 : 200_000;
        String text = "ž".repeat(length);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Schema schema = SchemaBuilder.struct().field("t", SchemaBuilder.string().build()).field("b", SchemaBuilder.bytes().build()).build();
        Records records = new Records("large");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true")) {
            run.put(records.record(null, null, schema, Records.struct(schema, "t", text, "b", bytes)));
        }
        try (Connection connection = database.connect();
             ResultSet row = connection.createStatement().executeQuery("SELECT * FROM " + engine.quote("large"))) {
            row.next();
            assertThat(row.getString(1)).isEqualTo(text);
            assertThat(new BigInteger(1, row.getBytes(2))).isEqualTo(new BigInteger(1, bytes));
        }
    }

    /** What the JDBC source makes of columns that records have no type for. */
    @ParameterizedTest
    @EnumSource
    void knowsWhatTheTextsAndNumbersOfTheSourceStandFor(Engine engine) throws Exception {
        TestDatabase database = engine.fresh();
        Schema schema = SchemaBuilder.struct().required()
            .field("local", SchemaBuilder.string().name(SchemaNames.LOCAL_TIMESTAMP).optional().build())
            .field("moment", SchemaBuilder.string().name(SchemaNames.ZONED_TIMESTAMP).optional().build())
            .field("micros", SchemaBuilder.int64().name(SchemaNames.MICRO_TIMESTAMP).optional().build())
            .field("clock", SchemaBuilder.int64().name(SchemaNames.MICRO_TIME).optional().build())
            .field("uuid", SchemaBuilder.string().name(SchemaNames.UUID).optional().build())
            .field("json", SchemaBuilder.string().name(SchemaNames.JSON).optional().build()).build();
        Records records = new Records("named");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true")) {
            run.put(records.record(null, null, schema, Records.struct(schema, "local", "2024-01-31T12:34:56.123456", "moment", "2024-01-31T12:34:56.123456Z",
                "micros", 1_706_704_496_123_456L, "clock", -1L, "uuid", "123e4567-e89b-12d3-a456-426614174000", "json", "{\"a\": 1}")),
                records.record(null, null, schema, Records.struct(schema)));
        }
        try (Connection connection = database.connect();
             ResultSet row = connection.createStatement().executeQuery("SELECT * FROM " + engine.quote("named") + " WHERE " + engine.quote("local") + " IS NOT NULL")) {
            row.next();
            assertThat(row.getString("local")).isEqualTo("2024-01-31 12:34:56.123456");
            assertThat(row.getString("micros")).isEqualTo("2024-01-31 12:34:56.123456");
            assertThat(row.getLong("clock")).isEqualTo(-1);
            assertThat(row.getString("uuid")).isEqualTo("123e4567-e89b-12d3-a456-426614174000");
            assertThat(row.getString("json")).isEqualTo("{\"a\": 1}");
            if (engine == Engine.POSTGRESQL || engine == Engine.H2) {
                assertThat(row.getObject("moment", java.time.OffsetDateTime.class).toInstant()).isEqualTo(Instant.parse("2024-01-31T12:34:56.123456Z"));
            } else {
                assertThat(row.getString("moment")).isEqualTo("2024-01-31 12:34:56.123456");
            }
        }
        try (SinkRun run = SinkRun.on(database, "auto.create", "true", "table.name.format", "clocks")) {
            database.execute("CREATE TABLE " + engine.quote("clocks") + " (" + engine.quote("clock") + " TIME, " + engine.quote("micros") + " BIGINT)");
            Schema two = SchemaBuilder.struct().required().field("clock", SchemaBuilder.int64().name(SchemaNames.MICRO_TIME).build())
                .field("micros", SchemaBuilder.int64().name(SchemaNames.MICRO_TIMESTAMP).build()).build();
            run.put(records.record(null, null, two, Records.struct(two, "clock", 3_600_000_000L, "micros", 5L)));
        }
        assertThat(database.query("SELECT CAST(" + engine.quote("clock") + " AS CHAR(8)), " + engine.quote("micros") + " FROM " + engine.quote("clocks")).toString())
            .isEqualTo("[[01:00:00, 5]]");
    }
}
