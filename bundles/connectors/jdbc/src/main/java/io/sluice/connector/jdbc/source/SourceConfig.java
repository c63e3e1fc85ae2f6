package io.sluice.connector.jdbc.source;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.AttributeType;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** The keys of the JDBC source. */
@ObjectClassDefinition(name = "JDBC source", description = "Copies tables, or the rows of a query, into topics.")
public @interface SourceConfig {

    @AttributeDefinition(name = "URL", description = "The JDBC URL of the database.")
    String connection_url();

    @AttributeDefinition(name = "User", required = false, description = "The user's name; empty if the database wants none.")
    String connection_user() default "";

    @AttributeDefinition(name = "Password", required = false, type = AttributeType.PASSWORD, description = "The user's password. A reference such as $[secret:db] keeps it out of the configuration.")
    String connection_password() default "";

    @AttributeDefinition(name = "Tables", required = false, description = "The tables to copy, separated by commas, each as NAME or SCHEMA.NAME in the database's own spelling.")
    String[] table_whitelist() default {};

    @AttributeDefinition(name = "Excluded tables", required = false, description = "Tables not to copy. Without 'table.whitelist', every other table of the connection's schema is copied.")
    String[] table_blacklist() default {};

    @AttributeDefinition(name = "Query", required = false, description = "A SELECT to copy the rows of, instead of tables. It may not end in a semicolon.")
    String query() default "";

    @AttributeDefinition(name = "Mode", required = false, options = {@Option(value = "bulk"), @Option(value = "incrementing"),
        @Option(value = "timestamp"), @Option(value = "timestamp+incrementing")},
        description = "bulk: all rows, every poll interval. incrementing: rows with a higher number in the incrementing column. timestamp: rows with a later time in "
            + "the timestamp column. timestamp+incrementing: both, so that rows of the same time are told apart.")
    String mode() default "bulk";

    @AttributeDefinition(name = "Incrementing column", required = false, description = "The column that only grows. Every new row must have a higher number than all before it.")
    String incrementing_column_name() default "";

    @AttributeDefinition(name = "Timestamp column", required = false, description = "The column that holds when a row was last changed.")
    String timestamp_column_name() default "";

    @AttributeDefinition(name = "Delay window", required = false, min = "0",
        description = "How many milliseconds a row must be old before it is copied, so that transactions which are still open are not overtaken.")
    long timestamp_delay_interval_ms() default 0;

    @AttributeDefinition(name = "Poll interval", required = false, min = "10", description = "How many milliseconds to wait between two looks at a table.")
    long poll_interval_ms() default 5_000;

    @AttributeDefinition(name = "Batch", required = false, min = "1", max = "100000", description = "The most rows that are handed on at once.")
    int batch_max_rows() default 500;

    @AttributeDefinition(name = "Topic prefix", required = false, description = "The topic of a table is this and the table's name. Empty: 'connect.topicname'.")
    String topic_prefix() default "";

    @AttributeDefinition(name = "Temporal mapping", required = false, options = {@Option(value = "exact"), @Option(value = "millis")},
        description = "What becomes of times finer than a millisecond. exact: text in ISO 8601, nothing is lost. millis: Timestamp, cut off to milliseconds.")
    String temporal_mapping() default "exact";

    @AttributeDefinition(name = "Largest LOB", required = false, min = "1", description = "The largest BLOB or CLOB that is copied, in bytes or characters; a larger one is an error.")
    long lob_max_bytes() default 4_000_000;
}
