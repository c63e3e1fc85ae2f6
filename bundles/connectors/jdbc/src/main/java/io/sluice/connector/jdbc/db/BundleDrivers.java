package io.sluice.connector.jdbc.db;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/**
 * Finds a driver among the framework's bundles: by the entry {@code META-INF/services/java.sql.Driver}, which every JDBC 4 driver has, and
 * by services of OSGi's JDBC specification.
 */
final class BundleDrivers {

    private static final String ENTRY = "META-INF/services/java.sql.Driver";
    /** Of the OSGi JDBC Service specification; its interface is spoken to by reflection, so that its package need not be there. */
    private static final String DATA_SOURCE_FACTORY = "org.osgi.service.jdbc.DataSourceFactory";

    private final BundleContext context;
    private final List<String> failures = new ArrayList<>();

    BundleDrivers(BundleContext context) {
        this.context = context;
    }

    Driver find(String url) throws SQLException {
        for (Bundle bundle : context.getBundles()) {
            Optional<Driver> driver = inBundle(bundle, url);
            if (driver.isPresent()) {
                return driver.get();
            }
        }
        Optional<Driver> driver = fromServices(url);
        if (driver.isPresent()) {
            return driver.get();
        }
        throw new MissingDriverException(DriverAdvice.missing(url, String.join("; ", failures)));
    }

    private Optional<Driver> inBundle(Bundle bundle, String url) {
        int state = bundle.getState();
        if (bundle.getBundleId() == 0 || state == Bundle.UNINSTALLED || isFragment(bundle)) {
            return Optional.empty();
        }
        if (state == Bundle.INSTALLED) {
            if (bundle.getEntry(ENTRY) != null) {
                failures.add("the bundle " + bundle.getSymbolicName() + " holds a driver but is not resolved");
            }
            return Optional.empty();
        }
        for (String name : driverClasses(bundle)) {
            try {
                Driver driver = (Driver) bundle.loadClass(name).getDeclaredConstructor().newInstance();
                if (Drivers.accepts(driver, url, failures)) {
                    return Optional.of(driver);
                }
            } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
                failures.add("the driver " + name + " of the bundle " + bundle.getSymbolicName() + " cannot be loaded: " + e);
            }
        }
        return Optional.empty();
    }

    private static boolean isFragment(Bundle bundle) {
        return bundle.getHeaders("").get("Fragment-Host") != null;
    }

    /** The names in all entries of the bundle, those of jars on its Bundle-ClassPath included. */
    private Set<String> driverClasses(Bundle bundle) {
        Set<String> names = new LinkedHashSet<>();
        try {
            // The class loader's view holds nested jars and fragments; a bundle that imports nothing of this name cannot see others' entries.
            var entries = bundle.getResources(ENTRY);
            for (URL entry : entries == null ? List.<URL>of() : Collections.list(entries)) {
                read(entry, names);
            }
        } catch (IOException | IllegalStateException e) {
            failures.add("the bundle " + bundle.getSymbolicName() + " cannot be read: " + e);
        }
        return names;
    }

    private static void read(URL entry, Set<String> names) throws IOException {
        try (var lines = new BufferedReader(new InputStreamReader(entry.openStream(), StandardCharsets.UTF_8))) {
            String line;
            while ((line = lines.readLine()) != null) {
                int comment = line.indexOf('#');
                String name = (comment < 0 ? line : line.substring(0, comment)).trim();
                if (!name.isEmpty()) {
                    names.add(name);
                }
            }
        }
    }

    private Optional<Driver> fromServices(String url) {
        try {
            ServiceReference<?>[] references = context.getAllServiceReferences(DATA_SOURCE_FACTORY, null);
            for (ServiceReference<?> reference : references == null ? new ServiceReference<?>[0] : references) {
                Optional<Driver> driver = fromService(reference).filter(found -> Drivers.accepts(found, url, failures));
                if (driver.isPresent()) {
                    return driver;
                }
            }
            return Optional.empty();
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private Optional<Driver> fromService(ServiceReference<?> reference) {
        Object factory = context.getService(reference);
        if (factory == null) {
            return Optional.empty();
        }
        try {
            Optional<Method> createDriver = interfaceOf(factory.getClass()).map(BundleDrivers::createDriver);
            return createDriver.isPresent() ? Optional.ofNullable((Driver) createDriver.get().invoke(factory, (Properties) null)) : Optional.empty();
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            failures.add("the data source factory of the bundle " + reference.getBundle() + " gives no driver: " + e);
            return Optional.empty();
        } finally {
            context.ungetService(reference);
        }
    }

    private static Optional<Class<?>> interfaceOf(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            Optional<Class<?>> found = Arrays.stream(each.getInterfaces()).filter(one -> one.getName().equals(DATA_SOURCE_FACTORY)).findFirst();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Method createDriver(Class<?> factory) {
        try {
            return factory.getMethod("createDriver", Properties.class);
        } catch (NoSuchMethodException e) {
            throw new LinkageError(factory + " is not of the JDBC Service specification", e);
        }
    }
}
