package io.sluice.core.plugin;

import java.util.Objects;
import org.osgi.framework.Bundle;

/**
 * Something about a bundle's plugins that keeps one of them from being used, or from being used as its author meant.
 *
 * @param bundle the symbolic name of the bundle
 * @param version its version
 * @param bundleId the framework's id of it
 * @param message what is wrong and what would cure it, for people; does not repeat the bundle
 */
public record PluginProblem(String bundle, String version, long bundleId, String message) {

    public PluginProblem {
        Objects.requireNonNull(bundle, "bundle");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(message, "message");
    }

    static PluginProblem of(Bundle bundle, String message) {
        return new PluginProblem(String.valueOf(bundle.getSymbolicName()), bundle.getVersion().toString(), bundle.getBundleId(), message);
    }

    /** The problem in one line, with the bundle. */
    public String text() {
        return "bundle " + bundle + " " + version + " (id " + bundleId + "): " + message;
    }
}
