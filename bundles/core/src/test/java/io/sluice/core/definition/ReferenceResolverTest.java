package io.sluice.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.runtime.SluiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferenceResolverTest {

    @TempDir
    Path folder;
    private ReferenceResolver resolver;

    @BeforeEach
    void fill() throws IOException {
        Files.createDirectories(folder.resolve("secrets"));
        Files.writeString(folder.resolve("secrets/db"), "s3cret\n");
        Files.writeString(folder.resolve("outside"), "not yours");
        Files.writeString(folder.resolve("file.properties"), "user=scott\npass=ti=ger\n");
        resolver = new ReferenceResolver(Map.of("HOME_TOWN", "Brno$1")::get, Map.of("karaf.name", "root")::get, folder.resolve("secrets"));
    }

    private String resolve(String value) {
        return resolver.resolve(Map.of("key", value)).get("key");
    }

    @Test
    void resolvesEveryKindOfReference() {
        assertThat(resolve("plain $5 text")).isEqualTo("plain $5 text");
        assertThat(resolve("$[env:HOME_TOWN] and ${env:HOME_TOWN}")).isEqualTo("Brno$1 and Brno$1");
        assertThat(resolve("$[prop:karaf.name]")).isEqualTo("root");
        assertThat(resolve("$[secret:db]")).isEqualTo("s3cret");
        assertThat(resolve("${file:" + folder.resolve("file.properties") + ":pass}")).isEqualTo("ti=ger");
        assertThat(resolve("$[env:ABSENT;default=here]")).isEqualTo("here");
    }

    @Test
    void namesKeyAndReferenceWhenNothingIsFound() {
        assertThatThrownBy(() -> resolve("a $[env:ABSENT] b")).isInstanceOf(SluiceException.class)
            .hasMessageContaining("'key'").hasMessageContaining("$[env:ABSENT]");
        assertThatThrownBy(() -> resolve("${file:/nowhere:pass}")).isInstanceOf(SluiceException.class);
    }

    @Test
    void readsNoFileOutsideTheSecretsFolder() {
        assertThatThrownBy(() -> resolve("$[secret:../outside]")).isInstanceOf(SluiceException.class);
    }
}
