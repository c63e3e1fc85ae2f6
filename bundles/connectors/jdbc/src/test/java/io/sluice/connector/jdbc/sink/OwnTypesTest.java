package io.sluice.connector.jdbc.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.logical.Time;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import java.math.BigDecimal;
import java.sql.Array;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Columns of types that only one database has, in tables that were there. */
class OwnTypesTest {

    private static Map<String, Object> map(Object... namesAndValues) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    private static Schema strings(String... names) {
        SchemaBuilder builder = SchemaBuilder.struct().required();
        for (String name : names) {
            builder.field(name, SchemaBuilder.string().build());
        }
        return builder.build();
    }

    @Test
    void postgresReadsTextAsItsOwnTypes() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("CREATE TYPE mood AS ENUM ('sad', 'glad')", "CREATE DOMAIN posint AS integer CHECK (VALUE > 0)",
            "CREATE TABLE own (u uuid, j json, jb jsonb, m mood, i inet, v interval, x xml, b bit(4), vb varbit, p posint, c char(3), n numeric(10,2), "
                + "tz timestamptz, t timestamp, d date, ttz timetz, mo money)");
        Schema schema = strings("u", "j", "jb", "m", "i", "v", "x", "b", "vb", "p", "c", "n", "tz", "t", "d", "ttz", "mo");
        Records records = new Records("own");
        try (SinkRun run = SinkRun.on(database)) {
            run.put(records.record(null, null, schema, Records.struct(schema, "u", "123e4567-e89b-12d3-a456-426614174000", "j", "{\"a\": 1}", "jb", "[1]", "m", "glad",
                    "i", "10.0.0.1", "v", "1 day", "x", "<a/>", "b", "0101", "vb", "11", "p", "7", "c", "ab", "n", "12.30", "tz", "2024-01-01T12:00:00+02:00",
                    "t", "infinity", "d", "2024-01-01 BC", "ttz", "12:00:00+02:00", "mo", "12.34")),
                records.record(null, null, schema, Records.struct(schema)));
            run.put(records.record(null, null, null, map("b", 5, "jb", Map.of("k", List.of(1)), "tz", 1_700_000_000_123L, "vb", new byte[] {1})));
        }
        assertThat(database.query("SELECT u::text, j::text, jb::text, m::text, i::text, v::text, x::text, b::text, vb::text, p::text, c::text, n::text, "
            + "(tz AT TIME ZONE 'UTC')::text, t::text, d::text, (ttz AT TIME ZONE 'UTC')::text, mo::text FROM own WHERE u IS NOT NULL"))
            .isEqualTo(List.of(List.of("123e4567-e89b-12d3-a456-426614174000", "{\"a\": 1}", "[1]", "glad", "10.0.0.1/32", "1 day", "<a/>", "0101", "11", "7", "ab", "12.30",
                "2024-01-01 10:00:00", "infinity", "2024-01-01 BC", "10:00:00+00", "$12.34")));
        assertThat(database.query("SELECT b::text, jb::text, (tz AT TIME ZONE 'UTC')::text, vb::text FROM own WHERE b = '0101' AND u IS NULL"))
            .isEqualTo(List.of(List.of("0101", "{\"k\": [1]}", "2023-11-14 22:13:20.123", "00000001")));
    }

    @Test
    void postgresHasArraysOfAnyDepth() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        Schema schema = SchemaBuilder.struct().required()
            .field("i", SchemaBuilder.array(SchemaBuilder.int32().build()).build())
            .field("t", SchemaBuilder.array(SchemaBuilder.string().build()).build())
            .field("d", SchemaBuilder.array(SchemaBuilder.array(SchemaBuilder.decimal(2).build()).build()).build())
            .field("w", SchemaBuilder.array(SchemaBuilder.timestamp().build()).build())
            .field("b", SchemaBuilder.array(SchemaBuilder.bytes().build()).build())
            .field("l", SchemaBuilder.array(SchemaBuilder.bool().build()).build()).build();
        Records records = new Records("arrays");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true")) {
            run.put(records.record(null, null, schema, Records.struct(schema, "i", java.util.Arrays.asList(1, null, 3), "t", List.of("a,\"b'", "", "NULL"),
                "d", List.of(List.of(new BigDecimal("1.50"), new BigDecimal("2.00"))), "w", List.of(Date.from(Instant.parse("2024-01-01T00:00:00Z"))),
                "b", List.of(new byte[] {1, -1}), "l", List.of(true, false))));
        }
        assertThat(database.query("SELECT i::text, d::text, w::text, b::text, l::text FROM arrays")).isEqualTo(
            List.of(List.of("{1,NULL,3}", "{{1.50,2.00}}", "{\"2024-01-01 00:00:00\"}", "{\"\\\\x01ff\"}", "{t,f}")));
        try (var connection = database.connect(); var row = connection.createStatement().executeQuery("SELECT t FROM arrays")) {
            row.next();
            Array texts = row.getArray(1);
            assertThat((Object[]) texts.getArray()).containsExactly("a,\"b'", "", "NULL");
        }
    }

    @Test
    void h2HasArraysToo() throws Exception {
        TestDatabase database = TestDatabases.h2();
        Schema schema = SchemaBuilder.struct().required()
            .field("i", SchemaBuilder.array(SchemaBuilder.int32().build()).build())
            .field("d", SchemaBuilder.array(SchemaBuilder.array(SchemaBuilder.decimal(2).build()).build()).build()).build();
        Records records = new Records("arrays");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true")) {
            run.put(records.record(null, null, schema, Records.struct(schema, "i", java.util.Arrays.asList(1, null, 3),
                "d", List.of(List.of(new BigDecimal("1.50"), new BigDecimal("2.00"))))));
        }
        assertThat(database.query("SELECT CAST(\"i\" AS VARCHAR), CAST(\"d\" AS VARCHAR) FROM \"arrays\"")).isEqualTo(List.of(List.of("[1, null, 3]", "[[1.50, 2.00]]")));
    }

    @Test
    void mariaDbKeepsItsUnsignedBitsAndInstants() throws Exception {
        TestDatabase database = TestDatabases.mariaDb();
        database.execute("CREATE TABLE own (u BIGINT UNSIGNED, b BIT(10), b1 BIT(1), y YEAR, e ENUM('sad', 'glad'), j JSON, ts TIMESTAMP(3) NULL, dt DATETIME(3), t TIME(6), "
            + "z DATE, s SET('a', 'b'), bin BINARY(4), ti TINYINT(1), uu UUID)");
        Records records = new Records("own");
        Schema schema = SchemaBuilder.struct().required().field("u", SchemaBuilder.decimal(0).build()).field("b", SchemaBuilder.int32().build())
            .field("b1", SchemaBuilder.bool().build()).field("y", SchemaBuilder.int32().build()).field("e", SchemaBuilder.string().build())
            .field("j", SchemaBuilder.string().build()).field("ts", SchemaBuilder.timestamp().build()).field("dt", SchemaBuilder.timestamp().build())
            .field("t", SchemaBuilder.string().build()).field("z", SchemaBuilder.string().build()).field("s", SchemaBuilder.string().build())
            .field("bin", SchemaBuilder.bytes().build()).field("ti", SchemaBuilder.bool().build()).field("uu", SchemaBuilder.string().build()).build();
        Date instant = Date.from(Instant.parse("2024-07-01T12:00:00.123Z"));
        try (SinkRun run = SinkRun.on(database, "db.timezone", "Europe/Berlin")) {
            run.put(records.record(null, null, schema, Records.struct(schema, "u", new BigDecimal("18446744073709551615"), "b", 1023, "b1", true, "y", 2024, "e", "glad",
                "j", "{\"a\": 1}", "ts", instant, "dt", instant, "t", "-838:59:59", "z", "2024-02-29", "s", "a,b", "bin", new byte[] {0, 1, 2, -1}, "ti", true,
                "uu", "123e4567-e89b-12d3-a456-426614174000")), records.record(null, null, schema, Records.struct(schema)));
        }
        assertThat(database.query("SELECT CAST(u AS CHAR), CAST(b + 0 AS CHAR), CAST(b1 + 0 AS CHAR), CAST(y AS CHAR), e, j, CAST(UNIX_TIMESTAMP(ts) AS CHAR), CAST(dt AS CHAR), "
            + "CAST(t AS CHAR), CAST(z AS CHAR), s, HEX(bin), CAST(ti AS CHAR), CAST(uu AS CHAR) FROM own WHERE u IS NOT NULL")).isEqualTo(List.of(List.of("18446744073709551615", "1023", "1", "2024",
            "glad", "{\"a\": 1}", "1719835200.123", "2024-07-01 14:00:00.123", "-838:59:59.000000", "2024-02-29", "a,b", "000102FF", "1",
            "123e4567-e89b-12d3-a456-426614174000")));
    }

    @Test
    void mariaDbCutsNothingEvenIfItsModeAllowsThat() throws Exception {
        TestDatabase database = TestDatabases.mariaDb();
        database.execute("CREATE TABLE own (s VARCHAR(3))");
        Records records = new Records("own");
        try (SinkRun run = SinkRun.on(database, "connection.property.sessionVariables", "sql_mode=''")) {
            assertThatThrownBy(() -> run.put(records.record(null, null, null, Map.of("s", "four")))).isInstanceOf(ConnectException.class)
                .hasMessageContaining("column s").hasMessageContaining("SQL state 22001");
        }
    }

    @Test
    void h2HasJsonUuidsAndZonedTimes() throws Exception {
        TestDatabase database = TestDatabases.h2();
        database.execute("CREATE TABLE own (j JSON, u UUID, tz TIMESTAMP(3) WITH TIME ZONE, t TIME(3) WITH TIME ZONE, e ENUM('sad', 'glad'), dec DECFLOAT)");
        Schema schema = SchemaBuilder.struct().required().field("j", SchemaBuilder.string().build()).field("u", SchemaBuilder.string().build())
            .field("tz", SchemaBuilder.timestamp().build()).field("t", Time.builder().build()).field("e", SchemaBuilder.string().build())
            .field("dec", SchemaBuilder.decimal(3).build()).build();
        Records records = new Records("own");
        try (SinkRun run = SinkRun.on(database, "db.timezone", "Asia/Tokyo")) {
            run.put(records.record(null, null, schema, Records.struct(schema, "j", "{\"a\": 1}", "u", "123e4567-e89b-12d3-a456-426614174000",
                "tz", Date.from(Instant.parse("2024-07-01T12:00:00.123Z")), "t", new Date(1_500), "e", "glad", "dec", new BigDecimal("1.234"))));
        }
        assertThat(database.query("SELECT CAST(j AS VARCHAR), CAST(u AS VARCHAR), CAST(tz AT TIME ZONE 'UTC' AS VARCHAR), CAST(t AS VARCHAR), CAST(e AS VARCHAR), CAST(dec AS VARCHAR) FROM own"))
            .isEqualTo(List.of(List.of("{\"a\":1}", "123e4567-e89b-12d3-a456-426614174000", "2024-07-01 12:00:00.123+00", "00:00:01.5+00", "glad", "1.234")));
    }

    @Test
    void derbyDropsNoPartOfASecond() throws Exception {
        TestDatabase database = TestDatabases.derby();
        Schema schema = SchemaBuilder.struct().required().field("t", Time.builder().build()).build();
        Records records = new Records("own");
        try (SinkRun run = SinkRun.on(database, "auto.create", "true")) {
            assertThatThrownBy(() -> run.put(records.record(null, null, schema, Records.struct(schema, "t", new Date(1_500))))).isInstanceOf(ConnectException.class)
                .hasMessageContaining("column t: the time 00:00:01.500 has a part of a second, which Derby's TIME would drop");
        }
    }

    @Test
    void sqliteRoundsNoNumber() throws Exception {
        TestDatabase database = TestDatabases.sqlite();
        database.execute("CREATE TABLE own (n NUMERIC(30,10), t TEXT, i INTEGER)");
        Records records = new Records("own");
        try (SinkRun run = SinkRun.on(database)) {
            run.put(records.record(null, null, null, map("n", new BigDecimal("123456789.12345"), "t", new BigDecimal("12345678901234567890.123"), "i", Long.MAX_VALUE)));
            assertThatThrownBy(() -> run.put(records.record(null, null, null, map("n", new BigDecimal("12345678901234567890.1"))))).isInstanceOf(ConnectException.class)
                .hasMessageContaining("has more digits than SQLite keeps in a column of type NUMERIC");
        }
        assertThat(database.query("SELECT CAST(n AS TEXT), t, CAST(i AS TEXT) FROM own")).isEqualTo(List.of(List.of("123456789.12345", "12345678901234567890.123", "9223372036854775807")));
    }
}
