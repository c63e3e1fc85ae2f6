/**
 * How the work of a cluster is spread over its workers. Whoever registers an {@link io.sluice.spi.allocation.AllocationStrategy} service
 * adds a way that the cluster's configuration can name.
 */
@Export
@Version("1.0.0")
package io.sluice.spi.allocation;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
