package io.sluice.core.cluster;

import java.util.Objects;

/**
 * One life of a worker: a worker that was expelled, or restarted, comes back under the same id with another incarnation.
 *
 * @param id the {@code worker.id}
 * @param incarnation differs for every life; without {@code @}
 */
public record MemberId(String id, String incarnation) implements Comparable<MemberId> {

    public MemberId {
        Objects.requireNonNull(id, "id");
        if (incarnation.indexOf('@') >= 0) {
            throw new IllegalArgumentException("an incarnation has no '@': " + incarnation);
        }
    }

    /** The inverse of {@link #text()}. @throws IllegalArgumentException if the text does not come from there */
    static MemberId of(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            throw new IllegalArgumentException("'" + text + "' is not a worker's id with an incarnation");
        }
        return new MemberId(text.substring(0, at), text.substring(at + 1));
    }

    /** {@code id@incarnation}. */
    public String text() {
        return id + "@" + incarnation;
    }

    @Override
    public int compareTo(MemberId other) {
        int byId = id.compareTo(other.id);
        return byId != 0 ? byId : incarnation.compareTo(other.incarnation);
    }

    @Override
    public String toString() {
        return text();
    }
}
