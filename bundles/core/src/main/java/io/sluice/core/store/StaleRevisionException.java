package io.sluice.core.store;

/** A change was based on a revision that is not the present one any more; nothing was changed. */
public class StaleRevisionException extends Exception {

    private static final long serialVersionUID = 1L;

    public StaleRevisionException(String name, long expected, long present) {
        super("connector '" + name + "' is at revision " + present + ", not " + expected
            + " any more: somebody else has changed it; look at the new revision and repeat the change");
    }
}
