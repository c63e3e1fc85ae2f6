package io.sluice.core.worker;

/** One record could not be handled, at one stage. */
final class RecordFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final Stage stage;

    RecordFailure(Stage stage, Throwable cause) {
        super("failed while " + stage.doing() + ": " + cause, cause);
        this.stage = stage;
    }

    Stage stage() {
        return stage;
    }
}
