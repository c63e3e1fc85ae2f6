package io.sluice.connector.jdbc.sink.write;

import io.sluice.connector.jdbc.sink.dialect.Dialect;
import io.sluice.connector.jdbc.sink.offset.QueueOffsets;
import java.util.Objects;
import java.util.Optional;

/**
 * What a task has for the database that it has found behind its connection.
 *
 * @param offsets present if queue offsets are kept in the database
 */
record Kit(Dialect dialect, Plans plans, Optional<QueueOffsets> offsets) {

    Kit {
        Objects.requireNonNull(dialect, "dialect");
        Objects.requireNonNull(plans, "plans");
        Objects.requireNonNull(offsets, "offsets");
    }
}
