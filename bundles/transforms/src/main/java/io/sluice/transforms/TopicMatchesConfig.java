package io.sluice.transforms;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of {@link TopicMatches}. */
@ObjectClassDefinition(name = "Topic matches", description = "True for records whose topic matches a pattern as a whole.")
public @interface TopicMatchesConfig {

    @AttributeDefinition(name = "Pattern", description = "A Java regular expression that the whole topic has to match.")
    String pattern();
}
