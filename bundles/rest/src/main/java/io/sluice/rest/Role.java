package io.sluice.rest;

import java.util.Set;

/** What a user may do. Each role includes those before it. */
enum Role {
    /** Look. */
    VIEWER(Set.of("viewer")),
    /** Pause, resume, stop and restart. */
    OPERATOR(Set.of("operator", "manager")),
    /** Everything. */
    ADMIN(Set.of("admin"));

    private final Set<String> names;

    Role(Set<String> names) {
        this.names = names;
    }

    /** The role that a JAAS principal of this name gives; null if none. Karaf's own {@code manager} counts as operator. */
    static Role of(String principal) {
        for (Role role : values()) {
            if (role.names.contains(principal)) {
                return role;
            }
        }
        return null;
    }

    boolean includes(Role other) {
        return compareTo(other) >= 0;
    }
}
