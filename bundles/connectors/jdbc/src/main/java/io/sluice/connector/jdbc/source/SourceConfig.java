package io.sluice.connector.jdbc.source;

import io.sluice.connector.jdbc.db.ConnectionSettings;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.AttributeType;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** The keys of the JDBC source. */
@ObjectClassDefinition(name = "JDBC source", description = "Copies tables, or the rows of a query, into topics. Keys that begin with 'connection.property.' are handed to the driver.")
public @interface SourceConfig {

    @AttributeDefinition(name = "URL", description = "The JDBC URL of the database.")
    String connection_url();

    @AttributeDefinition(name = "User", required = false, description = "The user's name; empty if the database wants none.")
    String connection_user() default "";

    @AttributeDefinition(name = "Password", required = false, type = AttributeType.PASSWORD,
        description = "The user's password. A reference such as $[secret:db] keeps it out of the configuration.")
    String connection_password() default "";

    @AttributeDefinition(name = "Connection attempts", required = false, min = "1", description = "How often to try to connect before the failure is told.")
    int connection_attempts() default ConnectionSettings.ATTEMPTS;

    @AttributeDefinition(name = "Connection back-off", required = false, min = "0",
        description = "How many milliseconds to wait after the first failure to connect; each further wait is twice as long, up to 32 times this.")
    long connection_backoff_ms() default ConnectionSettings.BACKOFF_MS;

    @AttributeDefinition(name = "Connection timeout", required = false, min = "1", description = "How many milliseconds one attempt to connect may take.")
    long connection_timeout_ms() default ConnectionSettings.TIMEOUT_MS;

    @AttributeDefinition(name = "Retries", required = false, min = "-1", description = "How many reads in a row may fail for a passing reason, a lost connection "
        + "or a deadlock for example, before the task fails. The pauses between them grow. -1: any number.")
    int max_retries() default 10;

    @AttributeDefinition(name = "Tables", required = false, description = "The tables to copy, separated by commas: NAME, SCHEMA.NAME (CATALOG.NAME for MySQL), parts with "
        + "special characters in double quotes. An asterisk stands for any characters. Letters count if a table is spelled exactly so, else they do not. "
        + "Neither this nor 'query': all tables of the schema.")
    String[] table_whitelist() default {};

    @AttributeDefinition(name = "Excluded tables", required = false, description = "Tables not to copy, written as in 'table.whitelist'; a name without a schema excludes "
        + "it in all schemas. Letters do not count.")
    String[] table_blacklist() default {};

    @AttributeDefinition(name = "Catalog", required = false, description = "The catalog (for MySQL, the database) whose tables are copied; empty: the connection's.")
    String catalog_pattern() default "";

    @AttributeDefinition(name = "Schemas", required = false, description = "The schemas whose tables are copied, as an SQL pattern: % stands for any characters, _ for one. "
        + "Empty: the connection's schema. Names with a schema in 'table.whitelist' are not bound by it.")
    String schema_pattern() default "";

    @AttributeDefinition(name = "Table types", required = false, description = "What counts as a table, as the driver names it: TABLE, VIEW, PARTITIONED TABLE, ... "
        + "What 'table.whitelist' names without an asterisk may also be of another type.")
    String[] table_types() default {"TABLE"};

    @AttributeDefinition(name = "Query", required = false, description = "A SELECT to copy the rows of, instead of tables. In all modes but bulk it becomes a subquery.")
    String query() default "";

    @AttributeDefinition(name = "Quoted identifiers", required = false, options = {@Option(value = "always"), @Option(value = "never")},
        description = "Whether names of tables and columns are quoted in statements. never is for databases that take quotes amiss.")
    String quote_sql_identifiers() default "always";

    @AttributeDefinition(name = "Mode", required = false, options = {@Option(value = "bulk"), @Option(value = "incrementing"),
        @Option(value = "timestamp"), @Option(value = "timestamp+incrementing")},
        description = "bulk: all rows, every poll interval. incrementing: rows with a higher number than the last one. timestamp: rows with a later time than the last one. "
            + "timestamp+incrementing: both, so that rows of the same time are told apart.")
    String mode() default "bulk";

    @AttributeDefinition(name = "Incrementing column", required = false, description = "The column that only grows: every new row has a higher number than all before it. "
        + "Empty: the column that the database numbers by itself, or a whole number that is the primary key.")
    String incrementing_column_name() default "";

    @AttributeDefinition(name = "Timestamp columns", required = false, description = "The columns that hold when a row was last changed, separated by commas; the first one that "
        + "is not null counts.")
    String[] timestamp_column_name() default {};

    @AttributeDefinition(name = "Delay window", required = false, min = "0",
        description = "How many milliseconds a row must be old before it is copied, so that transactions which are still open are not overtaken.")
    long timestamp_delay_interval_ms() default 0;

    @AttributeDefinition(name = "First time", required = false, description = "Where a table without a stored offset begins: empty for the oldest row, now (or -1), "
        + "milliseconds since 1970, or a time such as 2026-01-31T12:00:00Z.")
    String timestamp_initial() default "";

    @AttributeDefinition(name = "Check for nulls", required = false, description = "Refuses tables whose incrementing or timestamp column may be null: rows where it is would "
        + "never be copied. For a query the rows that are there at the start are looked at.")
    boolean validate_non_null() default true;

    @AttributeDefinition(name = "Poll interval", required = false, min = "1", description = "How many milliseconds lie between the beginnings of two looks at a table.")
    long poll_interval_ms() default 5_000;

    @AttributeDefinition(name = "Table poll interval", required = false, min = "1",
        description = "How many milliseconds lie between two looks for new and dropped tables; what is found changes the tasks.")
    long table_poll_interval_ms() default 60_000;

    @AttributeDefinition(name = "Batch rows", required = false, min = "1", max = "100000", description = "The most rows that are handed on at once.")
    int batch_max_rows() default 500;

    @AttributeDefinition(name = "Batch bytes", required = false, min = "1", description = "About how many bytes of rows are handed on at once at most, and fetched at once.")
    long batch_max_bytes() default 8_388_608;

    @AttributeDefinition(name = "Topic prefix", required = false, description = "The topic of a table is this and the table's name; that of a query is this alone. "
        + "Empty: 'connect.topicname' takes everything.")
    String topic_prefix() default "";

    @AttributeDefinition(name = "Schema in topic", required = false, description = "Whether the schema (for MySQL, the database) and a dot stand before the table's name in the topic's. "
        + "Needed if tables of the same name lie in several schemas.")
    boolean topic_include_schema() default false;

    @AttributeDefinition(name = "Key", required = false, options = {@Option(value = "primary_key"), @Option(value = "columns"), @Option(value = "none")},
        description = "The key of a record: a struct of the table's primary key, or of the columns in 'key.columns', or none. Rows of one key stay in order.")
    String key_from() default "primary_key";

    @AttributeDefinition(name = "Key columns", required = false, description = "The columns of the key for 'key.from' = columns, separated by commas.")
    String[] key_columns() default {};

    @AttributeDefinition(name = "Numeric mapping", required = false, options = {@Option(value = "none"), @Option(value = "precision_only"), @Option(value = "best_fit")},
        description = "What becomes of DECIMAL and NUMERIC. none: a decimal of the column's scale. precision_only: whole numbers of up to 18 digits become the smallest "
            + "integer type that holds them. best_fit: and those with up to 15 digits and some behind the point become float64.")
    String numeric_mapping() default "none";

    @AttributeDefinition(name = "Scale of unscaled numbers", required = false, min = "-1", max = "1000", description = "What becomes of a NUMERIC without a scale, each of "
        + "whose values has its own. -1: text. Else a decimal of this scale, and a number with more digits behind the point is an error.")
    int numeric_unscaled_scale() default -1;

    @AttributeDefinition(name = "Temporal precision", required = false,
        options = {@Option(value = "auto"), @Option(value = "ms"), @Option(value = "micros"), @Option(value = "text")},
        description = "What becomes of times. auto: Timestamp and Time for columns of milliseconds or coarser, text in ISO 8601 for finer ones; nothing is lost. ms: always "
            + "Timestamp and Time, cut off to milliseconds. micros: int64 of microseconds. text: always text.")
    String temporal_precision() default "auto";

    @AttributeDefinition(name = "Database time zone", required = false, description = "The zone of times that have none, such as Europe/Berlin: what Timestamp and micros are "
        + "counted by, and the delay window. Empty: UTC for the former, and for the latter what the database takes for its local time.")
    String db_timezone() default "";

    @AttributeDefinition(name = "Special values", required = false, options = {@Option(value = "fail"), @Option(value = "null")},
        description = "What becomes of PostgreSQL's infinity and NaN in columns whose type has no such value. As text, and in float columns, they are kept.")
    String special_values() default "fail";

    @AttributeDefinition(name = "Zero dates", required = false, options = {@Option(value = "fail"), @Option(value = "null"), @Option(value = "epoch")},
        description = "What becomes of dates of MySQL that no calendar has, such as 0000-00-00. epoch: 1970-01-01.")
    String zero_dates() default "fail";

    @AttributeDefinition(name = "Unknown types", required = false, options = {@Option(value = "fail"), @Option(value = "text"), @Option(value = "skip")},
        description = "What becomes of a column whose type has no counterpart. text: what the driver prints. skip: the column is left out.")
    String unknown_types() default "fail";

    @AttributeDefinition(name = "Largest value", required = false, min = "1", max = "1000000000", description = "The largest text or byte value that is copied, in bytes; LOBs are "
        + "read as streams and no further.")
    int lob_max_bytes() default 4_000_000;

    @AttributeDefinition(name = "Values that are too large", required = false, options = {@Option(value = "fail"), @Option(value = "null")},
        description = "What becomes of values above 'lob.max.bytes'.")
    String lob_too_large() default "fail";

    @AttributeDefinition(name = "TINYINT(1) as boolean", required = false, description = "Whether MySQL's TINYINT(1), which BOOLEAN is another word for, becomes a boolean; "
        + "other values than 0 and 1 are then errors.")
    boolean tinyint1_as_boolean() default false;

    @AttributeDefinition(name = "Trimmed CHARs", required = false, description = "Whether the blanks that fill up a CHAR are cut off.")
    boolean char_trim() default false;
}
