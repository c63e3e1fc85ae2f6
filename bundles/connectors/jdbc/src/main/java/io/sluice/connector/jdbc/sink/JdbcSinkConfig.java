package io.sluice.connector.jdbc.sink;

import io.sluice.connector.jdbc.db.ConnectionSettings;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.AttributeType;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** The configuration keys of the JDBC sink. */
@ObjectClassDefinition(name = "JDBC sink", description = "Writes each record as a row of a database table. Records are structs with a schema, or maps without one, "
    + "whose columns must be there already. All records of one put are one transaction. Keys that begin with connection.property. "
    + "go to the driver as properties, without that beginning.")
public @interface JdbcSinkConfig {

    @AttributeDefinition(name = "Connection URL", min = "1", description = "The JDBC URL of the database, such as jdbc:postgresql://host:5432/sales.")
    String connection_url();

    @AttributeDefinition(name = "User", required = false, description = "The database user; empty if the URL says it or none is needed.")
    String connection_user() default "";

    @AttributeDefinition(name = "Password", required = false, type = AttributeType.PASSWORD,
        description = "The user's password. A reference such as $[secret:db] keeps it out of the configuration.")
    String connection_password() default "";

    @AttributeDefinition(name = "Connection timeout", required = false, min = "1", description = "Milliseconds that one attempt to connect may take.")
    long connection_timeout_ms() default ConnectionSettings.TIMEOUT_MS;

    @AttributeDefinition(name = "Insert mode", required = false, description = "How a record becomes a row. A batch may be written again after a lost connection: insert then meets "
        + "rows that are there, unless delivery=exactly-once.",
        options = {@Option(label = "insert: a row with the same key is an error", value = "insert"),
            @Option(label = "insert, or update the row with the same key", value = "upsert"),
            @Option(label = "update the row with the same key; nothing happens if there is none", value = "update")})
    String insert_mode() default "insert";

    @AttributeDefinition(name = "Delete", required = false,
        description = "true deletes the row with the record's key when a record's value is null; it needs pk.mode=record_key. false treats such a record as an error.")
    boolean delete_enabled() default false;

    @AttributeDefinition(name = "Primary key", required = false, description = "Where the columns of the key come from.",
        options = {@Option(label = "no key", value = "none"), @Option(label = "the record's key: itself, or fields of it", value = "record_key"),
            @Option(label = "fields of the record's value", value = "record_value"), @Option(label = "the record's topic, broker, queue and offset", value = "queue"),
            @Option(label = "the same as queue", value = "kafka")})
    String pk_mode() default "none";

    @AttributeDefinition(name = "Key fields", required = false, description = "The names of the key's columns. record_key: fields of the key, all if empty, or the one column for a key "
        + "that is a single value; record_value: fields of the value, all if empty; queue: four columns, __connect_topic, __connect_broker, __connect_queue and "
        + "__connect_offset if empty.")
    String[] pk_fields() default {};

    @AttributeDefinition(name = "Fields", required = false, description = "The fields of the value to write; all if empty. Fields of the key are always written.")
    String[] fields_whitelist() default {};

    @AttributeDefinition(name = "Value column", required = false, min = "1", description = "The column for a value that has no fields, such as a line of text.")
    String value_column() default "value";

    @AttributeDefinition(name = "Table", required = false, min = "1",
        description = "The table, with its schema or catalog before a dot if need be. ${topic} (or {topic}) in it stands for the record's topic.")
    String table_name_format() default "${topic}";

    @AttributeDefinition(name = "Kinds of tables", required = false, description = "What may be written to, in the database's words, such as TABLE, VIEW.")
    String[] table_types() default {"TABLE"};

    @AttributeDefinition(name = "Create tables", required = false, description = "true makes a table that is missing, with the columns of the first record's schema.")
    boolean auto_create() default false;

    @AttributeDefinition(name = "Extend tables", required = false, description = "true adds columns that a table lacks for a record's fields; they must be optional or have a default. "
        + "No column is ever dropped or changed. false treats such a record as an error. With H2 the connector has one task then.")
    boolean auto_evolve() default false;

    @AttributeDefinition(name = "Quote names", required = false, description = "Whether names of tables and columns are quoted in statements.",
        options = {@Option(label = "quoted: any name and its case are kept", value = "always"),
            @Option(label = "not quoted: the database decides about their case", value = "never")})
    String quote_sql_identifiers() default "always";

    @AttributeDefinition(name = "Nested values", required = false, description = "What to do with structs, maps and arrays for which the database has no column type. "
        + "PostgreSQL and H2 have arrays.",
        options = {@Option(label = "write JSON text", value = "json"), @Option(label = "treat the record as an error", value = "error")})
    String nested_values() default "json";

    @AttributeDefinition(name = "Time zone", required = false,
        description = "The zone whose local time a timestamp has in a column without a zone, such as UTC or Europe/Berlin. Dates and times of day have no zone.")
    String db_timezone() default "UTC";

    @AttributeDefinition(name = "Batch size", required = false, min = "1", max = "100000",
        description = "The most rows in one JDBC batch. All records of one put are one transaction in any case.")
    int batch_size() default 3000;

    @AttributeDefinition(name = "Retries", required = false, min = "0",
        description = "How often a batch is tried again after a lost connection, a deadlock or a lock timeout before the task reports the trouble; the runtime then goes on trying.")
    int max_retries() default 10;

    @AttributeDefinition(name = "Retry wait", required = false, min = "0", description = "Milliseconds between these tries.")
    long retry_backoff_ms() default 3000;

    @AttributeDefinition(name = "Delivery", required = false, description = "What a crash or a lost connection may do to rows.",
        options = {@Option(label = "rows of the last batches may be written twice, which upsert hides", value = "at-least-once"),
            @Option(label = "each record once: queue offsets are kept in the database, in the rows' transaction", value = "exactly-once")})
    String delivery() default "at-least-once";

    @AttributeDefinition(name = "Offsets table", required = false, min = "1",
        description = "The table for queue offsets with delivery=exactly-once; made if it is missing. To have a connector read from elsewhere, change its rows there.")
    String offsets_table() default "sluice_sink_offsets";
}
