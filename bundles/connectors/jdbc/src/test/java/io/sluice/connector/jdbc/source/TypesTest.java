package io.sluice.connector.jdbc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of every type of each database. */
class TypesTest {

    private static BigDecimal decimal(String text) {
        return new BigDecimal(text);
    }

    @Test
    void copiesPostgresTypesWithoutLoss() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("create type mood as enum ('sad', 'happy')", "create domain positive as integer check (value > 0)");
        new TypeTable(database)
            .column("smallint", "-32768", "INT16", (short) -32768)
            .column("integer", "-2147483648", "INT32", Integer.MIN_VALUE)
            .column("bigint", "9223372036854775807", "INT64", Long.MAX_VALUE)
            .column("numeric", "12345678901234567890.12345678901234567890", "STRING:Number", "12345678901234567890.12345678901234567890")
            .column("numeric", "'NaN'", "STRING:Number", "NaN")
            .column("numeric(38,20)", "123456789012345678.00000000000000000001", "Decimal(20)", decimal("123456789012345678.00000000000000000001"))
            .column("numeric(20)", "-99999999999999999999", "Decimal(0)", decimal("-99999999999999999999"))
            .column("numeric(3,-2)", "12345", "Decimal(0)", decimal("12300"))
            .column("numeric(3,5)", "0.00123", "Decimal(5)", decimal("0.00123"))
            .column("money", "'-1234567.89'", "Decimal(2)", decimal("-1234567.89"))
            .column("real", "3.4028235e38", "FLOAT32", Float.MAX_VALUE)
            .column("double precision", "'-Infinity'", "FLOAT64", Double.NEGATIVE_INFINITY)
            .column("double precision", "0.1", "FLOAT64", 0.1)
            .column("boolean", "true", "BOOLEAN", true)
            .column("bit(1)", "B'1'", "BOOLEAN", true)
            .column("bit(9)", "B'101010101'", "STRING:Bits", "101010101")
            .column("varbit", "B'0001'", "STRING:Bits", "0001")
            .column("char(5)", "'ab'", "STRING", "ab   ")
            .column("varchar(10)", "'žluť\uD83D\uDC0E'", "STRING", "žluť\uD83D\uDC0E")
            .column("text", "'x'", "STRING", "x")
            .column("bytea", "'\\x00ff10'", "BYTES", "00ff10")
            .column("date", "'0044-03-15 BC'", "Date", "-0043-03-15")
            .column("date", "'1500-02-28'", "Date", "1500-02-28")
            .column("time(3)", "'23:59:59.999'", "Time", "86399999")
            .column("time", "'24:00:00'", "STRING:LocalTime", "24:00:00")
            .column("timetz", "'12:34:56.123456+05:30'", "STRING:ZonedTime", "12:34:56.123456+05:30")
            .column("timestamp(3)", "'2026-03-29 02:30:00.123'", "Timestamp", "2026-03-29T02:30:00.123Z")
            .column("timestamp", "'2026-03-29 02:30:00.123456'", "STRING:LocalTimestamp", "2026-03-29T02:30:00.123456")
            .column("timestamp", "'infinity'", "STRING:LocalTimestamp", "infinity")
            .column("timestamptz(3)", "'2026-03-29 02:30:00.123+05:30'", "Timestamp", "2026-03-28T21:00:00.123Z")
            .column("timestamptz", "'2026-03-29 02:30:00.123456+05:30'", "STRING:ZonedTimestamp", "2026-03-28T21:00:00.123456Z")
            .column("interval", "'1 year 2 months 3 days 04:05:06.789'", "STRING:Interval", "P1Y2M3DT4H5M6.789S")
            .column("uuid", "'123e4567-e89b-12d3-a456-426614174000'", "STRING:Uuid", "123e4567-e89b-12d3-a456-426614174000")
            .column("json", "'{\"a\":  1}'", "STRING:Json", "{\"a\":  1}")
            .column("jsonb", "'{\"b\":1e400}'", "STRING:Json", "{\"b\": 1" + "0".repeat(400) + "}")
            .column("xml", "'<a>1</a>'", "STRING:Xml", "<a>1</a>")
            .column("inet", "'10.0.0.1/8'", "STRING", "10.0.0.1/8")
            .column("point", "'(1,2)'", "STRING", "(1,2)")
            .column("int4range", "'[1,5)'", "STRING", "[1,5)")
            .column("mood", "'happy'", "STRING", "happy")
            .column("positive", "7", "INT32", 7)
            .column("oid", "4294967295", "INT64", 4294967295L)
            .column("integer[]", "'{1,NULL,-3}'", "ARRAY<INT32>", List.of("1", "null", "-3"))
            .column("text[]", "array['a,b', 'c\"d\\e', '', 'NULL', null]", "ARRAY<STRING>", List.of("a,b", "c\"d\\e", "", "NULL", "null"))
            .column("numeric(5,2)[]", "'{1.50}'", "ARRAY<Decimal(2)>", List.of("1.50"))
            .column("timestamptz[]", "'{2026-01-01 00:00:00.000001+00}'", "ARRAY<STRING:ZonedTimestamp>", List.of("2026-01-01T00:00:00.000001Z"))
            .column("bytea[]", "array['\\x01ff'::bytea]", "ARRAY<BYTES>", List.of("01ff"))
            .column("mood[]", "array['sad'::mood]", "ARRAY<STRING>", List.of("sad"))
            .check();
    }

    @Test
    void copiesMariaDbTypesWithoutLoss() throws Exception {
        new TypeTable(TestDatabases.mariaDb())
            .column("tinyint", "-128", "INT8", (byte) -128)
            .column("tinyint unsigned", "255", "INT16", (short) 255)
            .column("boolean", "true", "INT8", (byte) 1)
            .column("smallint unsigned", "65535", "INT32", 65535)
            .column("mediumint unsigned", "16777215", "INT64", 16777215L)
            .column("int unsigned", "4294967295", "INT64", 4294967295L)
            .column("bigint", "-9223372036854775808", "INT64", Long.MIN_VALUE)
            .column("bigint unsigned", "18446744073709551615", "Decimal(0)", decimal("18446744073709551615"))
            .column("decimal(65,30)", "12345678901234567890123456789012345.123456789012345678901234567890", "Decimal(30)",
                decimal("12345678901234567890123456789012345.123456789012345678901234567890"))
            .column("float", "1.2345678", "FLOAT32", 1.2345678f)
            .column("double", "1.7976931348623157e308", "FLOAT64", Double.MAX_VALUE)
            .column("bit(1)", "b'1'", "BOOLEAN", true)
            .column("bit(64)", "b'1111111111111111111111111111111111111111111111111111111111111110'", "BYTES", "fffffffffffffffe")
            .column("char(5)", "'ab'", "STRING", "ab")
            .column("longtext", "'täxt\uD83D\uDC0E'", "STRING", "täxt\uD83D\uDC0E")
            .column("binary(4)", "'ab'", "BYTES", "61620000")
            .column("longblob", "x'00ff'", "BYTES", "00ff")
            .column("enum('a','b')", "'b'", "STRING", "b")
            .column("set('x','y','z')", "'x,z'", "STRING", "x,z")
            .column("json", "'{\"a\": 1}'", "STRING:Json", "{\"a\": 1}")
            .column("date", "'9999-12-31'", "Date", "9999-12-31")
            .column("time", "'-838:59:59'", "STRING:ClockDuration", "-838:59:59")
            .column("time(6)", "'12:34:56.123456'", "STRING:ClockDuration", "12:34:56.123456")
            .column("datetime", "'2026-03-29 02:30:00'", "Timestamp", "2026-03-29T02:30:00Z")
            .column("datetime(3)", "'1000-01-01 00:00:00.001'", "Timestamp", "1000-01-01T00:00:00.001Z")
            .column("time(3)", "'-10:00:00.012'", "STRING:ClockDuration", "-10:00:00.012")
            .column("datetime(1)", "'2026-03-29 02:30:00.1'", "Timestamp", "2026-03-29T02:30:00.100Z")
            .column("datetime(6)", "'2026-03-29 02:30:00.123456'", "STRING:LocalTimestamp", "2026-03-29T02:30:00.123456")
            .column("timestamp null", "from_unixtime(1774751400)", "Timestamp", "2026-03-29T02:30:00Z")
            .column("timestamp(6) null", "from_unixtime(1774751400.123456)", "STRING:ZonedTimestamp", "2026-03-29T02:30:00.123456Z")
            .column("year", "2155", "INT32", 2155)
            .column("uuid", "'123e4567-e89b-12d3-a456-426614174000'", "STRING:Uuid", "123e4567-e89b-12d3-a456-426614174000")
            .column("inet6", "'::1'", "STRING", "::1")
            .column("point", "point(1,2)", "BYTES", "00000000" + "0101000000000000000000f03f0000000000000040")
            .check();
    }

    @Test
    void copiesH2TypesWithoutLoss() throws Exception {
        new TypeTable(TestDatabases.h2())
            .column("boolean", "true", "BOOLEAN", true)
            .column("tinyint", "-128", "INT8", (byte) -128)
            .column("smallint", "-32768", "INT16", (short) -32768)
            .column("integer", "2147483647", "INT32", Integer.MAX_VALUE)
            .column("bigint", "-9223372036854775808", "INT64", Long.MIN_VALUE)
            .column("numeric(50,20)", "123456789012345678901234567890.00000000000000000001", "Decimal(20)", decimal("123456789012345678901234567890.00000000000000000001"))
            .column("decfloat(20)", "1.5E100", "STRING:Number", "1.5E+100")
            .column("real", "1.5", "FLOAT32", 1.5f)
            .column("double precision", "0.1", "FLOAT64", 0.1)
            .column("char(4)", "'ab'", "STRING", "ab  ")
            .column("varchar(10)", "'ab'", "STRING", "ab")
            .column("clob", "'" + "long".repeat(1000) + "'", "STRING", "long".repeat(1000))
            .column("varbinary(10)", "X'00ff'", "BYTES", "00ff")
            .column("blob", "X'" + "00ff".repeat(1000) + "'", "BYTES", "00ff".repeat(1000))
            .column("date", "date '1969-12-31'", "Date", "1969-12-31")
            .column("time(3)", "time '23:59:59.999'", "Time", "86399999")
            .column("time(9)", "time '23:59:59.123456789'", "STRING:LocalTime", "23:59:59.123456789")
            .column("time(9) with time zone", "time with time zone '23:59:59.123456789+05:30'", "STRING:ZonedTime", "23:59:59.123456789+05:30")
            .column("timestamp(3)", "timestamp '2026-03-29 02:30:00.123'", "Timestamp", "2026-03-29T02:30:00.123Z")
            .column("timestamp(9)", "timestamp '2026-03-29 02:30:00.123456789'", "STRING:LocalTimestamp", "2026-03-29T02:30:00.123456789")
            .column("timestamp(9) with time zone", "timestamp with time zone '2026-03-29 02:30:00.123456789+05:30'", "STRING:ZonedTimestamp", "2026-03-28T21:00:00.123456789Z")
            .column("interval day to second", "interval '1 02:03:04' day to second", "STRING:Interval", "INTERVAL '1 02:03:04' DAY TO SECOND")
            .column("uuid", "'123e4567-e89b-12d3-a456-426614174000'", "STRING:Uuid", "123e4567-e89b-12d3-a456-426614174000")
            .column("json", "json '{\"a\":1}'", "STRING:Json", "{\"a\":1}")
            .column("enum('a','b')", "'b'", "STRING", "b")
            .column("integer array", "array[1, null, 3]", "ARRAY<INT32>", List.of("1", "null", "3"))
            .column("numeric(10,2) array", "array[1.50]", "ARRAY<Decimal(2)>", List.of("1.50"))
            .check();
    }

    @Test
    void copiesDerbyTypesWithoutLoss() throws Exception {
        new TypeTable(TestDatabases.derby())
            .column("boolean", "true", "BOOLEAN", true)
            .column("smallint", "-32768", "INT16", (short) -32768)
            .column("bigint", "-9223372036854775808", "INT64", Long.MIN_VALUE)
            .column("decimal(31,10)", "123456789012345678901.1234567891", "Decimal(10)", decimal("123456789012345678901.1234567891"))
            .column("double", "1.7976931348623157E308", "FLOAT64", Double.MAX_VALUE)
            .column("char(5)", "'ab'", "STRING", "ab   ")
            .column("clob", "cast('text' as clob)", "STRING", "text")
            .column("varchar(5) for bit data", "X'00ff'", "BYTES", "00ff")
            .column("blob", "cast(X'00ff' as blob)", "BYTES", "00ff")
            .column("date", "'2024-02-29'", "Date", "2024-02-29")
            .column("time", "'23:59:59'", "Time", "86399000")
            .column("timestamp", "'2026-03-29 02:30:00.123456789'", "STRING:LocalTimestamp", "2026-03-29T02:30:00.123456789")
            .check();
    }

    @Test
    void copiesSqliteValuesByTheirDeclaredTypes() throws Exception {
        new TypeTable(TestDatabases.sqlite())
            .column("integer", "9223372036854775807", "INT64", Long.MAX_VALUE)
            .column("boolean", "1", "BOOLEAN", true)
            .column("real", "0.1", "FLOAT64", 0.1)
            .column("decimal(10,2)", "1.5", "Decimal(2)", decimal("1.50"))
            .column("text", "'täxt'", "STRING", "täxt")
            .column("blob", "x'00ff'", "BYTES", "00ff")
            .column("datetime", "'2024-01-31 12:34:56'", "STRING", "2024-01-31 12:34:56")
            .column("json", "'{}'", "STRING:Json", "{}")
            .column("", "'typeless'", "STRING", "typeless")
            .check();
    }

    private static void refuses(TestDatabase database, String type, String literal, String... parts) throws Exception {
        database.execute("create table bad (id integer not null primary key, c " + type + ")", "insert into bad values (1, " + literal + ")");
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "bad")) {
            assertThatThrownBy(run::drain).isInstanceOf(ConnectException.class).hasMessageContainingAll(parts);
        }
        database.execute("drop table bad");
    }

    @Test
    void refusesWhatHasNoCounterpartAndNamesTableColumnTypeAndRemedy() throws Exception {
        TestDatabase postgres = TestDatabases.postgres();
        postgres.execute("create type pair as (a integer, b integer)");
        refuses(postgres, "pair", "row(1, 2)", "table public.bad", "column 'c' of type", "pair", "'unknown.types'", "'query'");
        refuses(postgres, "integer[]", "'{{1,2},{3,4}}'", "table public.bad", "column 'c' of type _int4", "several dimensions");
        refuses(postgres, "date", "'infinity'", "table public.bad", "column 'c' of type date", "'infinity'", "'special.values'");
        refuses(postgres, "numeric(5,2)", "'NaN'", "table public.bad", "column 'c' of type numeric", "NaN", "'special.values'");
        TestDatabase maria = TestDatabases.mariaDb();
        refuses(maria, "longtext", "repeat('x', 5000000)", ".bad", "column 'c' of type", "'lob.max.bytes'", "'lob.too.large'");
        TestDatabase h2 = TestDatabases.h2();
        refuses(h2, "blob", "cast(X'" + "00".repeat(1) + "' || cast(repeat('ab', 2500000) as varbinary(5000000)) as blob)", "table PUBLIC.BAD", "column 'C' of type", "'lob.max.bytes'");
        refuses(h2, "integer array array", "array[array[1]]", "table PUBLIC.BAD", "column 'C' of type", "ARRAY", "'unknown.types'");
        refuses(TestDatabases.sqlite(), "integer", "'abc'", "table bad", "column 'c' of type", "'abc'", "'query'");
    }

    @Test
    void makesOfZeroDatesWhatTheConfigurationSays() throws Exception {
        TestDatabase maria = TestDatabases.mariaDb();
        maria.execute("create table zeros (id integer not null primary key, d date not null, dt datetime(6) not null)",
            "set statement sql_mode='' for insert into zeros values (1, '0000-00-00', '0000-00-00 00:00:00')",
            "set statement sql_mode='ALLOW_INVALID_DATES' for insert into zeros values (2, '2023-02-31', '2024-02-31 00:00:00.5')");
        try (SourceRun run = SourceRun.of(maria, "table.whitelist", "zeros")) {
            assertThatThrownBy(run::drain).isInstanceOf(ConnectException.class).hasMessageContainingAll(".zeros", "column 'd'", "'zero.dates'");
        }
        try (SourceRun run = SourceRun.of(maria, "table.whitelist", "zeros", "zero.dates", "null", "mode", "incrementing")) {
            assertThat(SourceRun.values(run.take(2), "d")).containsOnlyNulls();
        }
        try (SourceRun run = SourceRun.of(maria, "table.whitelist", "zeros", "zero.dates", "epoch", "mode", "incrementing")) {
            assertThat(SourceRun.values(run.take(2), "dt")).containsOnly("1970-01-01T00:00:00");
        }
    }

    @Test
    void mapsNumbersAndTimesAsTheConfigurationSays() throws Exception {
        new TypeTable(TestDatabases.postgres())
            .column("numeric(4)", "1234", "INT16", (short) 1234)
            .column("numeric(18)", "123456789012345678", "INT64", 123456789012345678L)
            .column("numeric(19)", "1", "Decimal(0)", decimal("1"))
            .column("numeric(10,2)", "1.25", "FLOAT64", 1.25)
            .column("numeric", "1.5", "Decimal(3)", decimal("1.500"))
            .column("timestamp", "'2026-03-29 02:30:00.123456'", "INT64:MicroTimestamp", 1774744200123456L)
            .column("time", "'00:00:00.000001'", "INT64:MicroTime", 1L)
            .column("date", "'infinity'", "Date", null)
            .check("numeric.mapping", "best_fit", "numeric.unscaled.scale", "3", "temporal.precision", "micros", "special.values", "null", "db.timezone", "+02:00");
        new TypeTable(TestDatabases.mariaDb())
            .column("boolean", "true", "BOOLEAN", true)
            .column("decimal(10,2)", "1.25", "Decimal(2)", decimal("1.25"))
            .column("decimal(9)", "7", "INT32", 7)
            .column("datetime(6)", "'2026-03-29 02:30:00.123456'", "Timestamp", "2026-03-29T02:30:00.123Z")
            .column("text", "repeat('x', 2000)", "STRING", null)
            .check("numeric.mapping", "precision_only", "temporal.precision", "ms", "tinyint1.as.boolean", "true", "lob.max.bytes", "1000", "lob.too.large", "null");
    }

    @Test
    void leavesOutOrPrintsWhatHasNoCounterpartIfToldTo() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("create type pair as (a integer, b integer)", "create table odd (id integer primary key, p pair, c char(4))", "insert into odd values (1, row(1, 2), 'x')");
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "odd", "unknown.types", "text", "char.trim", "true", "mode", "incrementing")) {
            assertThat(SourceRun.row(run.take(1).get(0))).isEqualTo(Map.of("id", 1, "p", "(1,2)", "c", "x"));
        }
        try (SourceRun run = SourceRun.of(database, "table.whitelist", "odd", "unknown.types", "skip", "key.from", "columns", "key.columns", "c,id", "mode", "incrementing",
            "quote.sql.identifiers", "never")) {
            ConnectRecord record = run.take(1).get(0);
            assertThat(SourceRun.row(record)).isEqualTo(Map.of("id", 1, "c", "x   "));
            assertThat(SourceRun.row((Struct) record.getKey())).containsExactly(Map.entry("c", "x   "), Map.entry("id", 1));
        }
    }

    @Test
    void sendsTheRowsBeforeOneThatHasNoCounterpartOnceAndThenFails() throws Exception {
        TestDatabase database = TestDatabases.postgres();
        database.execute("create table t (id integer primary key, d date)", "insert into t values (1, '2026-01-01'), (2, '2026-01-02'), (3, 'infinity')");
        for (String mode : List.of("bulk", "incrementing")) {
            try (SourceRun run = SourceRun.of(database, "table.whitelist", "t", "mode", mode)) {
                assertThat(SourceRun.values(run.poll(), "id")).containsExactly(1, 2);
                assertThatThrownBy(run::poll).isInstanceOf(ConnectException.class).hasMessageContaining("infinity");
            }
        }
    }
}
