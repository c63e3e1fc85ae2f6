package io.sluice.converter.basic;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the converters that have nothing to choose. */
@ObjectClassDefinition(name = "Converter of single values",
    description = "Bytes as they are, or a number or truth value in the big-endian bytes that Kafka's serializers write.")
public @interface SideConfig {

    @AttributeDefinition(name = "Converts keys", required = false,
        description = "Whether it converts the keys of records or their values; set by the runtime, used in messages.")
    boolean isKey() default false;
}
