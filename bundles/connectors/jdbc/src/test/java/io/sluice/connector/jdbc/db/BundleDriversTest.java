package io.sluice.connector.jdbc.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.util.Map;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.launch.Framework;

class BundleDriversTest {

    @TempDir
    Path folder;
    private Framework framework;
    private BundleContext context;

    @BeforeEach
    void startFramework() throws Exception {
        framework = new FrameworkFactory().newFramework(Map.of("org.osgi.framework.storage", folder.toString()));
        framework.start();
        context = framework.getBundleContext();
    }

    @AfterEach
    void stopFramework() throws Exception {
        framework.stop();
        framework.waitForStop(10_000);
    }

    private Bundle install(Class<?> driver) throws Exception {
        return context.installBundle(driver.getProtectionDomain().getCodeSource().getLocation().toString());
    }

    private Driver find(String url) throws Exception {
        return new BundleDrivers(context).find(url);
    }

    @Test
    void findsTheDriverInABundleThatIsNotWiredToThisOne() throws Exception {
        install(org.postgresql.Driver.class).start();
        install(org.mariadb.jdbc.Driver.class).start();
        Bundle h2 = install(org.h2.Driver.class);
        h2.start();
        Driver driver = find("jdbc:h2:mem:bundles");
        assertThat(driver.getClass().getClassLoader()).isSameAs(h2.loadClass("org.h2.Driver").getClassLoader()).isNotSameAs(org.h2.Driver.class.getClassLoader());
        try (Connection connection = driver.connect("jdbc:h2:mem:bundles", new Properties())) {
            assertThat(Database.of(connection).vendor()).isEqualTo(Vendor.H2);
        }
        assertThat(find("jdbc:postgresql://h/d").getClass().getName()).isEqualTo("org.postgresql.Driver");
        assertThat(find("jdbc:mariadb://h/d").getClass().getName()).isEqualTo("org.mariadb.jdbc.Driver");
    }

    @Test
    void aDriverGoesWithItsBundle() throws Exception {
        assertThatThrownBy(() -> find("jdbc:h2:mem:x")).isInstanceOf(MissingDriverException.class).hasMessageContaining("drop h2-<version>.jar");
        Bundle h2 = install(org.h2.Driver.class);
        h2.start();
        assertThat(find("jdbc:h2:mem:x")).isNotNull();
        h2.uninstall();
        assertThatThrownBy(() -> find("jdbc:h2:mem:x")).isInstanceOf(MissingDriverException.class);
    }

    @Test
    void findsADriverInAJarOnTheBundlesClassPath() throws Exception {
        Path h2 = Path.of(org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Bundle outer = context.installBundle("test:outer", bundle(Map.of("Bundle-SymbolicName", "outer", "Bundle-ClassPath", ".,h2.jar",
            "DynamicImport-Package", "*"), Map.of("h2.jar", Files.readAllBytes(h2))));
        outer.start();
        assertThat(find("jdbc:h2:mem:x").getClass().getName()).isEqualTo("org.h2.Driver");
    }

    @Test
    void saysWhatLooksLikeADriverButIsNone() throws Exception {
        byte[] entry = "# comment\ncom.example.Gone # another\n".getBytes(StandardCharsets.UTF_8);
        context.installBundle("test:broken", bundle(Map.of("Bundle-SymbolicName", "broken"), Map.of("META-INF/services/java.sql.Driver", entry))).start();
        context.installBundle("test:unresolved", bundle(Map.of("Bundle-SymbolicName", "unresolved", "Import-Package", "not.there"),
            Map.of("META-INF/services/java.sql.Driver", entry)));
        assertThatThrownBy(() -> find("jdbc:h2:mem:x")).hasMessageContaining("the driver com.example.Gone of the bundle broken cannot be loaded")
            .hasMessageContaining("the bundle unresolved holds a driver but is not resolved");
    }

    private static InputStream bundle(Map<String, String> headers, Map<String, byte[]> files) throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-ManifestVersion", "2");
        headers.forEach(main::putValue);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                jar.putNextEntry(new ZipEntry(file.getKey()));
                jar.write(file.getValue());
                jar.closeEntry();
            }
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
