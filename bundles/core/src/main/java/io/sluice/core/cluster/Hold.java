package io.sluice.core.cluster;

import java.util.Objects;

/**
 * A worker's right to run a unit.
 *
 * @param member who has it, or gets it once all before it are released
 * @param epoch the generation that gave it; no two holds of a unit have the same
 */
public record Hold(MemberId member, long epoch) {

    public Hold {
        Objects.requireNonNull(member, "member");
    }

    @Override
    public String toString() {
        return member + ":" + epoch;
    }
}
