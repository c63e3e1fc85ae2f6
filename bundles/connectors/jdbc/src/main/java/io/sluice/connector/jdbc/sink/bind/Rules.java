package io.sluice.connector.jdbc.sink.bind;

import java.util.Objects;

/**
 * What conversions are told by the configuration.
 *
 * @param temporal dates and times, with the zone of the database
 * @param nestedAsJson whether structs, maps and arrays without a column type of their own become JSON text; else they are refused
 */
public record Rules(Temporal temporal, boolean nestedAsJson) {

    public Rules {
        Objects.requireNonNull(temporal, "temporal");
    }
}
