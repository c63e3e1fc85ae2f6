package io.sluice.converter.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;

/** What bnd has made of the annotations: without it the runtime would not find the plugin. */
class AnnouncedPluginsTest {

    private static final Path CLASSES = Path.of("target", "classes");

    @Test
    void converterIsAnnouncedWithItsConfiguration() throws Exception {
        try (InputStream in = Files.newInputStream(CLASSES.resolve("META-INF/MANIFEST.MF"))) {
            assertThat(new Manifest(in).getMainAttributes().getValue("Provide-Capability"))
                .startsWith("io.sluice.plugin;plugin.class=\"io.sluice.converter.json.JsonConverter\";plugin.name=json;plugin.kind=CONVERTER;")
                .contains("plugin.configuration=\"io.sluice.converter.json.JsonConverterConfig\"");
        }
    }

    @Test
    void everyKeyIsDescribedWithItsDefault() throws Exception {
        assertThat(Files.readString(CLASSES.resolve("OSGI-INF/metatype/io.sluice.converter.json.JsonConverterConfig.xml")))
            .contains("<AD id=\"isKey\" type=\"Boolean\"", "<AD id=\"schemas.enable\" type=\"Boolean\"", "<AD id=\"schemas.cache.size\" type=\"Integer\"",
                "<AD id=\"decimal.format\" type=\"String\"", "<AD id=\"replace.null.with.default\" type=\"Boolean\"",
                "<AD id=\"logical.names\" type=\"String\"", "default=\"openmessaging\"", "value=\"numeric\"");
    }
}
