package io.sluice.transforms;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of {@link MaskField}. */
@ObjectClassDefinition(name = "Mask fields",
    description = "Replaces the content of fields by what their type has for nothing (0, false, empty text), or by a given text or number.")
public @interface MaskFieldConfig {

    @AttributeDefinition(name = "Fields", description = "The names of the fields to mask. Records that lack one are not changed in it.")
    String[] fields();

    @AttributeDefinition(name = "Replacement", required = false,
        description = "What stands in texts and numbers instead; a number must fit the type of every field named. If it is not given: "
            + "nothing of the type. A null stays null either way.")
    String replacement() default "";
}
