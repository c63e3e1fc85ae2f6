/**
 * What plugins that look into records share: values derived from a schema once and kept as long as the schema is in use.
 */
@Export
@Version("1.0.0")
package io.sluice.spi.data;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
