package io.sluice.broker.embedded;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** The configuration of the embedded broker, PID {@code io.sluice.broker}. */
@ObjectClassDefinition(name = "Embedded broker", description = "The RocketMQ that a worker starts for itself when it is given no other.")
@interface BrokerKeys {

    @AttributeDefinition(name = "Name server port", required = false, min = "1", max = "65535", description = "The name server listens here, on 127.0.0.1.")
    int namesrv_port() default 9876;

    @AttributeDefinition(name = "Broker port", required = false, min = "3", max = "65535",
        description = "The broker listens here and two ports below, on 127.0.0.1.")
    int broker_port() default 10911;

    @AttributeDefinition(name = "Data folder", required = false,
        description = "Where the broker keeps all its files. A relative path is taken from Karaf's data folder.")
    String data_folder() default "broker";

    @AttributeDefinition(name = "Library folder", required = false,
        description = "Where the broker's jars are. A relative path is taken from Karaf's home.")
    String lib_folder() default "broker/lib";

    @AttributeDefinition(name = "Heap", required = false, min = "64", max = "65536", description = "The broker's largest heap, in MiB.")
    int heap_mb() default 256;

    @AttributeDefinition(name = "File size", required = false, min = "8", max = "1024",
        description = "The size of one file of messages, in MiB. Space is taken and given back in files.")
    int file_mb() default 64;

    @AttributeDefinition(name = "Retention", required = false, min = "1", description = "For how many hours messages are kept.")
    int retention_hours() default 72;

    @AttributeDefinition(name = "JVM options", required = false, description = "Further options of the broker's JVM, separated by blanks.")
    String java_options() default "";
}
