package io.sluice.core;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** The configuration of a worker, PID {@code io.sluice.worker}. */
@ObjectClassDefinition(name = "Worker", description = "This worker: who it is, and which RocketMQ it uses.")
@interface WorkerKeys {

    @AttributeDefinition(name = "Worker id", required = false,
        description = "The worker's name in its cluster, in status and logs. Empty: worker-<host name>.")
    String worker_id() default "";

    @AttributeDefinition(name = "Cluster", required = false, description = "The name of the cluster.")
    String cluster_name() default "default";

    @AttributeDefinition(name = "Name servers", required = false,
        description = "The addresses of RocketMQ's name servers, host:port, separated by semicolons. Empty: the embedded broker is started.")
    String rocketmq_namesrv_addr() default "";

    @AttributeDefinition(name = "Store folder", required = false,
        description = "Where definitions and offsets are kept. A relative path is taken from Karaf's data folder.")
    String store_folder() default "sluice/store";

    @AttributeDefinition(name = "Secrets folder", required = false,
        description = "The folder that $[secret:NAME] reads the file NAME from. A relative path is taken from Karaf's etc folder.")
    String secrets_folder() default "secrets";

    @AttributeDefinition(name = "Stop timeout", required = false, min = "1000",
        description = "How long the worker waits for its connectors when it stops, in milliseconds.")
    long stop_timeout_ms() default 15_000;
}
