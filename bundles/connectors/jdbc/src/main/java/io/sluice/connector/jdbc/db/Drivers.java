package io.sluice.connector.jdbc.db;

import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

/**
 * Finds the driver for a URL. In OSGi, drivers live in bundles of their own which this one has no wires to, so that they may come and go;
 * elsewhere they lie on the class path. A driver is looked for anew for each connection, so that none is kept beyond its bundle.
 */
final class Drivers {

    private Drivers() {
    }

    /** @throws MissingDriverException if none takes the URL; the message names a remedy */
    static Driver find(String url) throws SQLException {
        Bundle own = FrameworkUtil.getBundle(Drivers.class);
        if (own != null && own.getBundleContext() != null) {
            return new BundleDrivers(own.getBundleContext()).find(url);
        }
        List<String> failures = new ArrayList<>();
        return onClassPath(url, failures).orElseThrow(() -> new MissingDriverException(DriverAdvice.missing(url, String.join("; ", failures))));
    }

    private static Optional<Driver> onClassPath(String url, List<String> failures) {
        var drivers = ServiceLoader.load(Driver.class, Drivers.class.getClassLoader()).iterator();
        while (true) {
            try {
                if (!drivers.hasNext()) {
                    return Optional.empty();
                }
                Driver driver = drivers.next();
                if (accepts(driver, url, failures)) {
                    return Optional.of(driver);
                }
            } catch (ServiceConfigurationError e) {
                failures.add(e.getMessage());
            }
        }
    }

    static boolean accepts(Driver driver, String url, List<String> failures) {
        try {
            return driver.acceptsURL(url);
        } catch (SQLException e) {
            failures.add(driver.getClass().getName() + " does not take the URL: " + e.getMessage());
            return false;
        }
    }
}
