package io.sluice.broker.launcher;

import org.apache.rocketmq.store.ha.DefaultHAService;

/**
 * Stands in the place of the service that feeds replicas. There are none here, and the default one would listen on every address of the
 * machine. RocketMQ finds this class through {@code META-INF/service}.
 */
public final class NoReplicas extends DefaultHAService {

    @Override
    public void start() {
        // Nobody is listened to.
    }

    @Override
    public void shutdown() {
        // Nothing was started.
    }
}
