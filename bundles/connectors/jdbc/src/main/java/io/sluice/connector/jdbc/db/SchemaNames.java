package io.sluice.connector.jdbc.db;

/**
 * Names of schemas of values that OpenMessaging has no type for, so that a reader can tell a timestamp in text from any other text. The source
 * writes them; whoever does not know them sees a plain string or number.
 */
public final class SchemaNames {

    /** STRING, ISO 8601 without a zone: {@code 2024-01-31T12:34:56.123456}. */
    public static final String LOCAL_TIMESTAMP = "io.sluice.time.LocalTimestamp";
    /** STRING, ISO 8601 in UTC: {@code 2024-01-31T12:34:56.123456Z}. */
    public static final String ZONED_TIMESTAMP = "io.sluice.time.ZonedTimestamp";
    /** INT64, microseconds since 1970-01-01T00:00:00Z. */
    public static final String MICRO_TIMESTAMP = "io.sluice.time.MicroTimestamp";
    /** STRING, a time of day: {@code 12:34:56.123456}; {@code 24:00:00} is the end of the day. */
    public static final String LOCAL_TIME = "io.sluice.time.LocalTime";
    /** STRING, a time of day with its offset: {@code 12:34:56.123456+05:30}. */
    public static final String ZONED_TIME = "io.sluice.time.ZonedTime";
    /** INT64, microseconds since midnight; a TIME of MySQL may be negative or longer than a day. */
    public static final String MICRO_TIME = "io.sluice.time.MicroTime";
    /** STRING, a TIME of MySQL, which may be negative or longer than a day: {@code -838:59:59}. */
    public static final String CLOCK_DURATION = "io.sluice.time.ClockDuration";
    /** STRING, a period as the database prints it; ISO 8601 from PostgreSQL. */
    public static final String INTERVAL = "io.sluice.time.Interval";
    /** STRING, a decimal number of any scale, or NaN, Infinity, -Infinity. */
    public static final String NUMBER_TEXT = "io.sluice.data.Number";
    /** STRING, the digits 0 and 1 of a bit string. */
    public static final String BITS = "io.sluice.data.Bits";
    /** STRING, a UUID. */
    public static final String UUID = "io.sluice.data.Uuid";
    /** STRING, a text of JSON. */
    public static final String JSON = "io.sluice.data.Json";
    /** STRING, a text of XML. */
    public static final String XML = "io.sluice.data.Xml";

    /** The parameter of a decimal's schema that holds its greatest number of digits, as Kafka Connect's JDBC connectors and Debezium have it. */
    public static final String DECIMAL_PRECISION = "connect.decimal.precision";

    private SchemaNames() {
    }
}
