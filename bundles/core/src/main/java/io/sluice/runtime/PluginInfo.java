package io.sluice.runtime;

import io.sluice.spi.PluginKind;
import java.util.Objects;

/**
 * One plugin of this worker.
 *
 * @param className its class
 * @param name its alias
 * @param kind what it is
 * @param version the version of its bundle
 * @param bundle the symbolic name of its bundle
 * @param bundleId the framework's id of its bundle
 * @param description one sentence; empty if there is none
 */
public record PluginInfo(String className, String name, PluginKind kind, String version, String bundle, long bundleId, String description) {

    public PluginInfo {
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(bundle, "bundle");
        Objects.requireNonNull(description, "description");
    }
}
