/**
 * The runtime as its faces see it: connectors, tasks, plugins, offsets and events of the cluster, through one front door,
 * {@link io.sluice.runtime.Connect}.
 *
 * <p>Everything here is a value or an interface; nothing of the worker, the stores or RocketMQ shows through.
 */
@Export
@Version("1.0.0")
package io.sluice.runtime;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
