package io.sluice.core.definition;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** The keys that every source connector has in addition. */
@ObjectClassDefinition(name = "Source connector", description = "Keys that every source connector has, whatever its plugin.")
@interface SourceKeys {

    @AttributeDefinition(name = "Topic", required = false,
        description = "The topic that records go to unless they name one themselves.")
    String connect_topicname() default "";

    @AttributeDefinition(name = "Queues of new topics", required = false, min = "1", max = "1024",
        description = "How many queues a topic gets when it does not exist yet.")
    int topic_creation_default_partitions() default 4;

    @AttributeDefinition(name = "Batch bytes", required = false, min = "1024", max = "4194304",
        description = "The most bytes that are sent to a queue at once.")
    int send_batch_max_bytes() default 262_144;

    @AttributeDefinition(name = "Batch records", required = false, min = "1", max = "65536",
        description = "The most records that are sent to a queue at once.")
    int send_batch_max_records() default 2_048;

    @AttributeDefinition(name = "Linger", required = false, min = "0",
        description = "How many milliseconds a record may wait for others to be sent with. 0: it is sent at once; batches form by themselves under load.")
    long send_linger_ms() default 0;

    @AttributeDefinition(name = "Bytes in flight", required = false, min = "65536",
        description = "How many bytes a task may have sent without an acknowledgement before it stops polling.")
    long send_in_flight_max_bytes() default 8_388_608;
}
