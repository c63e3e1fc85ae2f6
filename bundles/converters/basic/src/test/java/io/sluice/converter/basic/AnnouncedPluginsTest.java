package io.sluice.converter.basic;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.connector.api.data.RecordConverter;
import io.sluice.spi.ConnectPlugin;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;

/** What bnd has made of the annotations: without it the runtime would not find the plugins. */
class AnnouncedPluginsTest {

    private static final Path CLASSES = Path.of("target", "classes");

    @Test
    void everyConverterIsAnnouncedWithItsConfiguration() throws Exception {
        assertAnnounced("string", StringConverter.class, StringConverterConfig.class);
        assertAnnounced("bytes", BytesConverter.class, SideConfig.class);
        assertAnnounced("short", ShortConverter.class, SideConfig.class);
        assertAnnounced("int", IntegerConverter.class, SideConfig.class);
        assertAnnounced("long", LongConverter.class, SideConfig.class);
        assertAnnounced("float", FloatConverter.class, SideConfig.class);
        assertAnnounced("double", DoubleConverter.class, SideConfig.class);
        assertAnnounced("boolean", BooleanConverter.class, SideConfig.class);
        assertThat(capabilities().split(ConnectPlugin.NAMESPACE + ";", -1)).hasSize(1 + 8);
    }

    private static void assertAnnounced(String name, Class<? extends RecordConverter> plugin, Class<?> configuration) throws Exception {
        assertThat(capabilities()).contains(ConnectPlugin.NAMESPACE + ";plugin.class=\"" + plugin.getName() + "\";plugin.name=" + name
            + ";plugin.kind=CONVERTER;");
        assertThat(plugin.getConstructor().newInstance()).isNotNull();
        String metatype = Files.readString(CLASSES.resolve("OSGI-INF/metatype/" + configuration.getName() + ".xml"));
        assertThat(metatype).contains("<OCD id=\"" + configuration.getName() + "\"", "<AD id=\"isKey\"");
        if (configuration == StringConverterConfig.class) {
            assertThat(metatype).contains("<AD id=\"encoding\"", "default=\"UTF-8\"", "<AD id=\"converter.encoding\"");
        }
    }

    private static String capabilities() throws Exception {
        try (InputStream in = Files.newInputStream(CLASSES.resolve("META-INF/MANIFEST.MF"))) {
            return new Manifest(in).getMainAttributes().getValue("Provide-Capability");
        }
    }
}
