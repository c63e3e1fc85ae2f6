package io.sluice.transforms;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of {@link InsertField}. Each key holds the name of a field; a name that ends in ! must, one in ? may be null. */
@ObjectClassDefinition(name = "Insert fields",
    description = "Adds fields that tell where a record comes from, or that are always the same. At least one is needed. A name that ends "
        + "in ! makes a required field: a record of which it is not known is an error. One that ends in ?, or in neither, makes an "
        + "optional one.")
public @interface InsertFieldConfig {

    @AttributeDefinition(name = "Field for the topic", required = false, description = "Name of a field for the record's topic, a string.")
    String topic_field() default "";

    @AttributeDefinition(name = "Field for the broker", required = false,
        description = "Name of a field for the name of the broker that a sink record was read from, a string; not known of source records. "
            + "Only with it do queue and offset name one record.")
    String broker_field() default "";

    @AttributeDefinition(name = "Field for the queue", required = false,
        description = "Name of a field for the number of the queue that a sink record was read from, a 32-bit integer; not known of "
            + "source records.")
    String partition_field() default "";

    @AttributeDefinition(name = "Field for the offset", required = false,
        description = "Name of a field for the offset of a sink record in its queue, a 64-bit integer; not known of source records.")
    String offset_field() default "";

    @AttributeDefinition(name = "Field for the timestamp", required = false,
        description = "Name of a field for the record's timestamp; without a schema, a whole number of milliseconds since 1970.")
    String timestamp_field() default "";

    @AttributeDefinition(name = "Field for a fixed text", required = false, description = "Name of a field that holds static.value.")
    String static_field() default "";

    @AttributeDefinition(name = "Fixed text", required = false, description = "What static.field holds, a string.")
    String static_value() default "";
}
