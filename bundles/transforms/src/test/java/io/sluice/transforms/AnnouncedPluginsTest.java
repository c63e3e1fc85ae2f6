package io.sluice.transforms;

import static org.assertj.core.api.Assertions.assertThat;

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
    void everyPluginIsAnnouncedWithItsConfiguration() throws Exception {
        assertAnnounced("mask-field", "TRANSFORM", MaskField.Value.class, MaskFieldConfig.class, "fields", "replacement");
        assertAnnounced("mask-field-key", "TRANSFORM", MaskField.Key.class, MaskFieldConfig.class);
        assertAnnounced("insert-field", "TRANSFORM", InsertField.Value.class, InsertFieldConfig.class, "topic.field", "broker.field",
            "partition.field", "offset.field", "timestamp.field", "static.field", "static.value");
        assertAnnounced("insert-field-key", "TRANSFORM", InsertField.Key.class, InsertFieldConfig.class);
        assertAnnounced("regex-router", "TRANSFORM", RegexRouter.class, RegexRouterConfig.class, "regex", "replacement");
        assertAnnounced("topic-matches", "PREDICATE", TopicMatches.class, TopicMatchesConfig.class, "pattern");
        assertThat(capabilities().split(ConnectPlugin.NAMESPACE + ";", -1)).hasSize(1 + 6);
    }

    private static void assertAnnounced(String name, String kind, Class<?> plugin, Class<?> configuration, String... keys)
        throws Exception {
        assertThat(capabilities()).contains(ConnectPlugin.NAMESPACE + ";plugin.class=\"" + plugin.getName() + "\";plugin.name=" + name
            + ";plugin.kind=" + kind + ";");
        assertThat(plugin.getConstructor().newInstance()).isNotNull();
        String metatype = Files.readString(CLASSES.resolve("OSGI-INF/metatype/" + configuration.getName() + ".xml"));
        assertThat(metatype).contains("<OCD id=\"" + configuration.getName() + "\"");
        for (String key : keys) {
            assertThat(metatype).contains("<AD id=\"" + key + "\"");
        }
    }

    private static String capabilities() throws Exception {
        try (InputStream in = Files.newInputStream(CLASSES.resolve("META-INF/MANIFEST.MF"))) {
            return new Manifest(in).getMainAttributes().getValue("Provide-Capability");
        }
    }
}
