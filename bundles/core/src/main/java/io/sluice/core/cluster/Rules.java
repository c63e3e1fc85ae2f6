package io.sluice.core.cluster;

import java.util.EnumSet;
import java.util.Set;

/** The rules that safety rests on. The simulation switches one off and must find out; nothing else ever does. */
record Rules(Set<Rule> off) {

    static final Rules ALL = new Rules(EnumSet.noneOf(Rule.class));

    /** What can be switched off. */
    enum Rule {
        /** Of several assignments with one number the first in the log counts. */
        FIRST_OF_GENERATION_WINS,
        /** A silent member is expelled only after its lease and a margin. */
        LEASE_AND_MARGIN,
        /** A member is expelled only if it has not beaten until that is in the log. */
        EXPEL_ONLY_WITHOUT_A_BEAT_BETWEEN,
        /** A worker heeds what others wrote of its own expulsion. */
        EXPELLED_STOPS,
        /** The gate closes when the lease runs out. */
        GATE_FOLLOWS_LEASE,
        /** A lease counts from before the beat was written, not from when it was read. */
        LEASE_FROM_WRITING,
        /** A unit starts only after the holds before it are released. */
        START_ONLY_AS_OWNER,
        /** A unit is released only after it has stopped. */
        RELEASE_AFTER_STOP,
        /** A hold that was released is never used again. */
        RELEASED_IS_OVER,
        /** A proposal keeps the holds of those who have not released. */
        HOLDS_ARE_KEPT
    }

    static Rules without(Rule rule) {
        return new Rules(EnumSet.of(rule));
    }

    boolean on(Rule rule) {
        return !off.contains(rule);
    }
}
