package io.sluice.connector.jdbc.db;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the driver for a URL: among the bundles of the framework that bring one ({@code META-INF/services/java.sql.Driver}), or on the class path
 * where there is no framework. {@code java.sql.DriverManager} is no help here: it shows drivers only to those whose class loader sees them.
 */
final class Drivers {

    private static final Logger LOG = LoggerFactory.getLogger(Drivers.class);
    private static final String SERVICE = "META-INF/services/java.sql.Driver";

    private Drivers() {
    }

    /** @throws SQLException if no driver takes the URL; says what to do */
    static Driver find(String url) throws SQLException {
        Bundle own = FrameworkUtil.getBundle(Drivers.class);
        List<String> seen = new ArrayList<>();
        Optional<Driver> found = own == null ? onClassPath(url) : inBundles(own, url, seen);
        return found.orElseThrow(() -> new SQLException("no JDBC driver for '" + url.replaceFirst("^(jdbc:[^:]+:).*", "$1...")
            + "' is installed; drop the driver's jar in the deploy folder" + (seen.isEmpty() ? "" : "; there are " + String.join(", ", seen)), "08001"));
    }

    private static Optional<Driver> onClassPath(String url) throws SQLException {
        for (Driver driver : ServiceLoader.load(Driver.class, Drivers.class.getClassLoader())) {
            if (driver.acceptsURL(url)) {
                return Optional.of(driver);
            }
        }
        return Optional.empty();
    }

    private static Optional<Driver> inBundles(Bundle own, String url, List<String> seen) throws SQLException {
        for (Bundle bundle : own.getBundleContext().getBundles()) {
            if (bundle.getState() != Bundle.ACTIVE && bundle.getState() != Bundle.RESOLVED) {
                continue;
            }
            URL service = bundle.getEntry(SERVICE);
            if (service == null) {
                continue;
            }
            for (String name : names(service)) {
                seen.add(name);
                Optional<Driver> driver = load(bundle, name);
                if (driver.isPresent() && driver.get().acceptsURL(url)) {
                    return driver;
                }
            }
        }
        return Optional.empty();
    }

    private static List<String> names(URL service) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(service.openStream(), StandardCharsets.UTF_8))) {
            return lines.lines().map(line -> line.replaceFirst("#.*", "").trim()).filter(line -> !line.isEmpty()).toList();
        } catch (IOException e) {
            LOG.warn("cannot read {}", service, e);
            return List.of();
        }
    }

    private static Optional<Driver> load(Bundle bundle, String name) {
        try {
            return Optional.of((Driver) bundle.loadClass(name).getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            LOG.warn("bundle {} {} announces the driver {}, which cannot be used: {}", bundle.getSymbolicName(), bundle.getVersion(), name, e.toString());
            return Optional.empty();
        }
    }
}
