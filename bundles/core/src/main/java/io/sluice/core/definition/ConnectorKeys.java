package io.sluice.core.definition;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** The keys that every connector has, beside those of its plugin. */
@ObjectClassDefinition(name = "Connector", description = "Keys that every connector has, whatever its plugin.")
@interface ConnectorKeys {

    @AttributeDefinition(name = "Plugin", description = "The connector plugin: its class name, simple class name or alias, such as jdbc-source.")
    String connector_class();

    @AttributeDefinition(name = "Plugin version", required = false,
        description = "Which versions of the plugin are right, as a range such as [1.2,2). Empty: the highest that is installed.")
    String connector_plugin_version() default "";

    @AttributeDefinition(name = "Tasks", description = "The most tasks that the connector may be split into.", min = "1", max = "1000", required = false)
    int tasks_max() default 1;

    @AttributeDefinition(name = "Key converter", required = false,
        description = "The converter between a record's key and bytes. Keys that begin with key.converter. configure it.")
    String key_converter() default "string";

    @AttributeDefinition(name = "Value converter", required = false,
        description = "The converter between a record's value and bytes. Keys that begin with value.converter. configure it.")
    String value_converter() default "json";

    @AttributeDefinition(name = "Transforms", required = false,
        description = "Names of transforms in the order in which they are applied; transforms.<name>.type says which plugin each is.")
    String[] transforms() default {};

    @AttributeDefinition(name = "Predicates", required = false,
        description = "Names of predicates that transforms may refer to; predicates.<name>.type says which plugin each is.")
    String[] predicates() default {};

    @AttributeDefinition(name = "Error tolerance", required = false, options = {@Option(value = "none"), @Option(value = "all")},
        description = "none: the first record that cannot be handled ends its task. all: such records are skipped, logged, "
            + "and kept in the dead-letter queue if there is one.")
    String errors_tolerance() default "none";

    @AttributeDefinition(name = "Retry timeout", required = false, min = "-1",
        description = "For how many milliseconds a conversion or transform that failed for a passing reason is tried again. 0: not at all; "
            + "-1: for ever. A put or poll that a plugin calls retriable is always tried again.")
    long errors_retry_timeout() default 0;

    @AttributeDefinition(name = "Longest retry delay", required = false, min = "1",
        description = "The longest pause between two tries, in milliseconds; pauses grow up to this.")
    long errors_retry_delay_max_ms() default 60_000;

    @AttributeDefinition(name = "Log errors", required = false, description = "Whether each record that is skipped is logged with its place and the cause.")
    boolean errors_log_enable() default true;

    @AttributeDefinition(name = "Log record contents", required = false,
        description = "Whether such a log line holds the record's contents. They may be confidential.")
    boolean errors_log_include_messages() default false;

    @AttributeDefinition(name = "Dead-letter queue", required = false,
        description = "The topic that takes records which a tolerant connector could not handle. Empty: none.")
    String errors_deadletterqueue_topic_name() default "";

    @AttributeDefinition(name = "Dead-letter context", required = false,
        description = "Whether records in the dead-letter queue carry where they came from and why they failed, as __connect.errors.* headers.")
    boolean errors_deadletterqueue_context_headers_enable() default false;

    @AttributeDefinition(name = "Offset interval", required = false, min = "10",
        description = "How often offsets are committed, in milliseconds. After a crash, records since the last commit are copied again.")
    long offset_flush_interval_ms() default 1_000;

    @AttributeDefinition(name = "Stop timeout", required = false, min = "100",
        description = "How long a task may take to stop, in milliseconds, before it is abandoned.")
    long task_stop_timeout_ms() default 10_000;
}
