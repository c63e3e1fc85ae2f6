/**
 * The contract between the runtime and its plugins: how a plugin is announced, how an instance of it is had, and the small
 * optional interfaces that go beyond the OpenMessaging Connect API.
 *
 * <p>The author of a plugin annotates a public class with {@link io.sluice.spi.ConnectPlugin}; nothing else is needed.
 * Whoever brings plugins from elsewhere registers {@link io.sluice.spi.PluginFactory} services.
 */
@Export
@Version("1.0.0")
package io.sluice.spi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
