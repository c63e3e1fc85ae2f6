/**
 * What a plugin can be told: the definition of its configuration keys, the validation that follows from it, and typed access.
 *
 * <p>A native plugin states its keys once, as an annotation type with OSGi Metatype; everything here is derived from that.
 */
@Export
@Version("1.0.0")
package io.sluice.spi.config;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
