package io.sluice.spi;

import java.lang.reflect.InvocationTargetException;

/** A plugin could not be had: its class does not load, or its constructor threw. */
public class PluginException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what could not be had and why
     * @param cause what the plugin or the framework threw; may be null
     */
    public PluginException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The exception for a class that could not be instantiated, with the plugin's own exception as its cause. */
    public static PluginException instantiating(String className, Throwable failure) {
        Throwable cause = failure instanceof InvocationTargetException && failure.getCause() != null ? failure.getCause() : failure;
        String why = cause.toString();
        if (cause instanceof ExceptionInInitializerError && cause.getCause() != null) {
            cause = cause.getCause();
            why = "a static initialiser threw " + cause;
        } else if (cause instanceof NoSuchMethodException) {
            why = "it has no public constructor without arguments";
        } else if (cause instanceof IllegalAccessException) {
            why = "it is not public";
        }
        return new PluginException("cannot create an instance of " + className + ": " + why, cause);
    }
}
