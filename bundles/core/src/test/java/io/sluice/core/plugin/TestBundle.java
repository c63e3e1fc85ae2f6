package io.sluice.core.plugin;

import aQute.bnd.osgi.Builder;
import aQute.bnd.osgi.EmbeddedResource;
import aQute.bnd.osgi.Jar;
import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.Component;
import io.sluice.spi.ConnectPlugin;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** A bundle as bnd builds it, from some classes of the tests. */
final class TestBundle {

    private final String name;
    private final String version;
    private final List<String> classes = new ArrayList<>();
    private final List<String> capabilities = new ArrayList<>();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final Map<String, String> files = new LinkedHashMap<>();

    private TestBundle(String name, String version) {
        this.name = name;
        this.version = version;
    }

    static TestBundle of(String name, String version) {
        return new TestBundle(name, version);
    }

    TestBundle with(Class<?>... more) {
        Arrays.stream(more).map(type -> type.getName().replace('.', '/') + ".class").forEach(classes::add);
        return this;
    }

    /** Announces a plugin beside those that the annotations announce. @param attributes as in the header */
    TestBundle announcing(String attributes) {
        capabilities.add(ConnectPlugin.NAMESPACE + ";" + attributes);
        return this;
    }

    TestBundle header(String key, String value) {
        headers.put(key, value);
        return this;
    }

    /** Puts a text file in. */
    TestBundle file(String path, String text) {
        files.put(path, text);
        return this;
    }

    InputStream build() throws Exception {
        try (Builder builder = new Builder()) {
            builder.setBundleSymbolicName(name);
            builder.setBundleVersion(version);
            builder.setClasspath(Stream.of(TestBundle.class, ConnectPlugin.class, Component.class, KeyValue.class, Capability.class, ObjectClassDefinition.class)
                .map(type -> new File(type.getProtectionDomain().getCodeSource().getLocation().getPath())).distinct().toArray(File[]::new));
            String root = TestBundle.class.getProtectionDomain().getCodeSource().getLocation().getPath();
            builder.setProperty("-includeresource", classes.stream().map(path -> path + "=" + root + path).collect(Collectors.joining(",")));
            // What the framework exports in these tests has no versions.
            builder.setProperty("Import-Package", "*;version=0");
            headers.forEach(builder::setProperty);
            if (!capabilities.isEmpty()) {
                builder.setProperty("Provide-Capability", String.join(",", capabilities));
            }
            Jar jar = builder.build();
            if (!builder.isOk()) {
                throw new IllegalStateException("bnd: " + builder.getErrors() + builder.getWarnings());
            }
            files.forEach((path, text) -> jar.putResource(path, new EmbeddedResource(text.getBytes(StandardCharsets.UTF_8), 0)));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            jar.write(bytes);
            return new ByteArrayInputStream(bytes.toByteArray());
        }
    }
}
