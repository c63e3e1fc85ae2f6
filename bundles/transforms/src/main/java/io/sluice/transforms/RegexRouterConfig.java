package io.sluice.transforms;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of {@link RegexRouter}. */
@ObjectClassDefinition(name = "Route by pattern", description = "Changes the topic of records whose topic matches a pattern as a whole.")
public @interface RegexRouterConfig {

    @AttributeDefinition(name = "Pattern", description = "A Java regular expression that the whole topic has to match.")
    String regex();

    @AttributeDefinition(name = "Replacement", description = "The new topic; $1 stands for what the first group of the pattern matched.")
    String replacement();
}
