package io.sluice.core.cluster;

import java.util.List;
import java.util.Optional;

/**
 * Where a unit is, and where it goes: those who hold it one after the other. The first one that has not released it owns it; if others follow,
 * or nobody shall have it, that one stops it and releases it.
 *
 * @param holds who, in this order
 * @param vacant why nobody shall have it in the end; empty if the last hold is where it belongs
 */
public record Placement(List<Hold> holds, String vacant) {

    public Placement {
        holds = List.copyOf(holds);
        if (holds.isEmpty() && vacant.isEmpty()) {
            throw new IllegalArgumentException("a unit that nobody holds needs a reason");
        }
    }

    boolean isVacant() {
        return !vacant.isEmpty();
    }

    /** Who shall have it in the end. */
    public Optional<Hold> target() {
        return isVacant() ? Optional.empty() : Optional.of(holds.get(holds.size() - 1));
    }

    /** True if a hold is where the unit stays. */
    boolean isLast(Hold hold) {
        return !isVacant() && holds.get(holds.size() - 1).equals(hold);
    }

    boolean has(long epoch) {
        for (Hold hold : holds) {
            if (hold.epoch() == epoch) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return holds + (isVacant() ? " nobody: " + vacant : "");
    }
}
