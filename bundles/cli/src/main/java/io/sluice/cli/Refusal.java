package io.sluice.cli;

/** Why a command was not carried out, in words for the person who gave it. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1;

    Refusal(String message) {
        super(message);
    }
}
