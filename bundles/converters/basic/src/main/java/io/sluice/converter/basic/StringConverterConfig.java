package io.sluice.converter.basic;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of {@link StringConverter}. */
@ObjectClassDefinition(name = "String converter", description = "Values as text in a chosen encoding.")
public @interface StringConverterConfig {

    @AttributeDefinition(name = "Converts keys", required = false,
        description = "Whether it converts the keys of records or their values; set by the runtime, used in messages.")
    boolean isKey() default false;

    @AttributeDefinition(name = "Encoding", required = false,
        description = "The character encoding of the text, by its IANA name. Text that it cannot hold and bytes that are not text in "
            + "it are errors of that record; nothing is replaced by question marks.")
    String encoding() default "UTF-8";

    @AttributeDefinition(name = "Encoding (Kafka Connect's key)", required = false,
        description = "The same under the name that Kafka Connect's StringConverter uses; when both are given, this one is in force.")
    String converter_encoding() default "";
}
