package io.sluice.core.store;

import java.util.ArrayList;
import java.util.List;

/**
 * The accepted revisions of one connector, oldest first, and the rule by which entries of the log become revisions. Immutable.
 *
 * <p>Every entry names the entry that it was based on. It is accepted if that one is the latest then; so of several writers who saw the same
 * revision the first in the log wins, and everybody who reads the log comes to the same result.
 *
 * <p>Earlier revisions are dropped from the log in time, so a replay may begin in the middle, even with an entry that once lost against one
 * that has been dropped. It is told by this: what an entry names as its base was accepted.
 */
record History(List<Revision> revisions) {

    /** How many revisions are kept. */
    static final int KEPT = 20;

    /**
     * One entry of the log.
     *
     * @param key its key, which no other entry has
     * @param basedOn the key of the revision before; empty if there was none
     * @param definition what it says
     * @param deleted true if it deletes the connector; the definition then only says who did so, and when
     */
    record Revision(String key, String basedOn, Definition definition, boolean deleted) {

        long number() {
            return definition.revision();
        }
    }

    /** What an entry leads to. @param history from now on @param outdated what need not be kept */
    record Step(History history, List<Revision> outdated) {

        Step(History history, Revision outdated) {
            this(history, List.of(outdated));
        }
    }

    History {
        revisions = List.copyOf(revisions);
    }

    /** The history that begins with an entry. */
    static History of(Revision first) {
        return new History(List.of(first));
    }

    Revision latest() {
        return revisions.get(revisions.size() - 1);
    }

    /** The number of the present revision; 0 if the connector is deleted. */
    long present() {
        return latest().deleted() ? 0 : latest().number();
    }

    boolean has(String key) {
        return revisions.stream().anyMatch(revision -> revision.key().equals(key));
    }

    /** What the next entry of the log leads to. */
    Step next(Revision entry) {
        if (entry.basedOn().equals(latest().key())) {
            return follow(entry);
        }
        if (has(entry.key())) {
            return new Step(this, List.of());
        }
        if (entry.number() > latest().number()) {
            // What is known is not what this one was based on: it lost long ago, or what came between has been dropped.
            return new Step(of(entry), revisions);
        }
        Revision oldest = revisions.get(0);
        if (oldest.basedOn().equals(entry.key()) && revisions.size() < KEPT && !entry.deleted() && !oldest.deleted()) {
            // Written again later than its successor, to keep it from being dropped by age.
            List<Revision> more = new ArrayList<>(List.of(entry));
            more.addAll(revisions);
            return new Step(new History(more), List.of());
        }
        return new Step(this, entry);
    }

    private Step follow(Revision entry) {
        boolean fresh = entry.deleted() || latest().deleted();
        int drop = fresh ? revisions.size() : Math.max(0, revisions.size() + 1 - KEPT);
        List<Revision> kept = new ArrayList<>(revisions.subList(drop, revisions.size()));
        kept.add(entry);
        return new Step(new History(kept), revisions.subList(0, drop));
    }
}
