package io.sluice.spi;

import io.openmessaging.connector.api.component.Component;
import io.openmessaging.connector.api.data.ConnectRecord;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Decides whether a transform applies to a record. Configured with {@code predicates.<alias>.*} and named by
 * {@code transforms.<alias>.predicate}; {@code transforms.<alias>.negate=true} turns the answer round.
 *
 * <p>Used by one task on one thread at a time.
 */
@ConsumerType
public interface Predicate extends Component {

    /** True if the transform shall be applied to {@code record}. */
    boolean test(ConnectRecord record);
}
