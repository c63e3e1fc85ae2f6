package io.sluice.core.definition;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** The keys that every sink connector has in addition. */
@ObjectClassDefinition(name = "Sink connector", description = "Keys that every sink connector has, whatever its plugin.")
@interface SinkKeys {

    @AttributeDefinition(name = "Topics", required = false, description = "The topics to read, separated by commas.")
    String[] connect_topicnames() default {};

    @AttributeDefinition(name = "Start", required = false, options = {@Option(value = "first"), @Option(value = "last")},
        description = "Where to begin in a queue of which no offset was committed yet: at its first message or after its last.")
    String consume_from_where() default "first";

    @AttributeDefinition(name = "Records per put", required = false, min = "1", max = "65536",
        description = "The most records that are handed to the task at once.")
    int put_batch_max_records() default 2_000;

    @AttributeDefinition(name = "Bytes read ahead", required = false, min = "65536",
        description = "How many bytes a task reads ahead of what it has put.")
    long read_ahead_max_bytes() default 16_777_216;
}
