package io.sluice.converter.json;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** Configuration of {@link JsonConverter}; the keys it shares with Kafka Connect's JsonConverter mean the same. */
@ObjectClassDefinition(name = "JSON converter", description = "Records as JSON, with their schema in an envelope or without.")
public @interface JsonConverterConfig {

    @AttributeDefinition(name = "Converts keys", required = false,
        description = "Whether it converts the keys of records or their values; set by the runtime, used in messages.")
    boolean isKey() default false;

    @AttributeDefinition(name = "With schema", required = false,
        description = "Whether each document is an envelope {\"schema\":...,\"payload\":...}. If false, the payload alone is written, and "
            + "what is read has no schema: whole numbers become 64-bit integers, other numbers 64-bit floats, objects become maps.")
    boolean schemas_enable() default true;

    @AttributeDefinition(name = "Schemas to remember", required = false, min = "1", max = "1000000",
        description = "How many schemas are kept in their converted form, for each direction; more are converted anew each time.")
    int schemas_cache_size() default 1000;

    @AttributeDefinition(name = "Decimal format", required = false, options = {
        @Option(value = "base64", label = "the unscaled number in base64, as Kafka Connect does by default"),
        @Option(value = "numeric", label = "a JSON number with all its digits")},
        description = "How decimals are written. Both forms are read.")
    String decimal_format() default "base64";

    @AttributeDefinition(name = "Default for null", required = false,
        description = "Whether a null in an optional field that has a default is taken for the default, in both directions. A missing "
            + "required field always has its default.")
    boolean replace_null_with_default() default true;

    @AttributeDefinition(name = "Names of logical types", required = false, options = {
        @Option(value = "openmessaging", label = "io.openmessaging.connector.api.data.logical.*, for RocketMQ Connect"),
        @Option(value = "kafka", label = "org.apache.kafka.connect.data.*, for readers of Kafka Connect's JSON")},
        description = "Which schema names are written for decimals, dates, times and timestamps. Both are read.")
    String logical_names() default "openmessaging";
}
