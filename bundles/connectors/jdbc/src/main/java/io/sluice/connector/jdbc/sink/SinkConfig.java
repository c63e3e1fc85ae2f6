package io.sluice.connector.jdbc.sink;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.AttributeType;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** The keys of the JDBC sink. */
@ObjectClassDefinition(name = "JDBC sink", description = "Writes the records of topics into tables.")
public @interface SinkConfig {

    @AttributeDefinition(name = "URL", description = "The JDBC URL of the database.")
    String connection_url();

    @AttributeDefinition(name = "User", required = false, description = "The user's name; empty if the database wants none.")
    String connection_user() default "";

    @AttributeDefinition(name = "Password", required = false, type = AttributeType.PASSWORD, description = "The user's password. A reference such as $[secret:db] keeps it out of the configuration.")
    String connection_password() default "";

    @AttributeDefinition(name = "Table", required = false, description = "The table's name; ${topic} stands for the record's topic.")
    String table_name_format() default "${topic}";

    @AttributeDefinition(name = "Insert mode", required = false, options = {@Option(value = "insert"), @Option(value = "upsert"), @Option(value = "update")},
        description = "insert: every record is a new row. upsert: a row with the same key is replaced. update: only rows that exist are changed.")
    String insert_mode() default "insert";

    @AttributeDefinition(name = "Key", required = false, options = {@Option(value = "none"), @Option(value = "record_key"), @Option(value = "record_value"), @Option(value = "queue")},
        description = "Where a row's primary key comes from: none, the record's key, fields of its value, or its place in RocketMQ (topic, broker, queue, offset).")
    String pk_mode() default "none";

    @AttributeDefinition(name = "Key fields", required = false, description = "The names of the key's columns. With record_key and a struct as key, empty means all of its fields; "
        + "with a plain key, one name is needed.")
    String[] pk_fields() default {};

    @AttributeDefinition(name = "Fields", required = false, description = "The fields of the value to write; empty for all.")
    String[] fields_whitelist() default {};

    @AttributeDefinition(name = "Value column", required = false, description = "The column for values that are not structs, such as plain text.")
    String value_column() default "value";

    @AttributeDefinition(name = "Delete", required = false, description = "Whether a record without a value deletes the row of its key.")
    boolean delete_enabled() default false;

    @AttributeDefinition(name = "Create tables", required = false, description = "Whether a table that is missing is created from the record's schema.")
    boolean auto_create() default false;

    @AttributeDefinition(name = "Add columns", required = false, description = "Whether a column that is missing is added, if its field is optional.")
    boolean auto_evolve() default false;

    @AttributeDefinition(name = "Batch", required = false, min = "1", max = "100000", description = "The most rows that are sent to the database at once.")
    int batch_size() default 1_000;
}
