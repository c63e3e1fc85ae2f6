package io.sluice.runtime;

import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * An OSGi service that can bring up a RocketMQ of this worker's own. A worker asks for it when {@code rocketmq.namesrv.addr} is not
 * set; as long as nobody asks, nothing is started.
 */
@ProviderType
public interface EmbeddedBroker {

    /**
     * Starts the broker unless it runs already.
     *
     * @return completed with the name server's address when the broker is registered and its system topics are listed; completed
     *     exceptionally, with the reason, when it cannot be started. The address stays the same when the broker is restarted.
     */
    CompletionStage<String> demand();
}
