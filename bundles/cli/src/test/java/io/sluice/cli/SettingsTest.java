package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {

    @TempDir
    Path etc;

    @BeforeEach
    void write() throws Exception {
        Files.writeString(etc.resolve("org.apache.felix.http.cfg"), """
            # org.osgi.service.http.port = 1
            org.apache.felix.http.host = $[env:SLUICE_HTTP_HOST;default=127.0.0.1]
            org.osgi.service.http.port = $[env:SLUICE_HTTP_PORT;default=8083]
            """);
        Files.writeString(etc.resolve("org.apache.karaf.shell.cfg"), "sshPort = 8101\n");
    }

    @Test
    void takesWhatTheFilesSay() throws Exception {
        Settings settings = new Settings(etc, Map.of());
        assertThat(settings.rest().host()).isEqualTo("127.0.0.1");
        assertThat(settings.rest().port()).isEqualTo(8083);
        assertThat(settings.shell().port()).isEqualTo(8101);
        assertThat(settings.shell().host()).isEqualTo("127.0.0.1");
    }

    @Test
    void letsTheEnvironmentComeFirst() throws Exception {
        Settings settings = new Settings(etc, Map.of("SLUICE_HTTP_PORT", "9000", "ORG_APACHE_KARAF_SHELL_SSHPORT", "9001"));
        assertThat(settings.rest().port()).isEqualTo(9000);
        assertThat(settings.shell().port()).isEqualTo(9001);
    }

    @Test
    void namesKeyAndFileOfAPortThatIsNone() throws Exception {
        Files.writeString(etc.resolve("org.apache.karaf.shell.cfg"), "sshPort = ssh\n");
        assertThatThrownBy(() -> new Settings(etc, Map.of()).shell()).isInstanceOf(Refusal.class)
            .hasMessageContaining("'sshPort'").hasMessageContaining("'ssh'").hasMessageContaining(etc.resolve("org.apache.karaf.shell.cfg").toString());
    }

    @Test
    void saysWhichPortIsTakenAndWhereToChangeIt() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Settings settings = new Settings(etc, Map.of("SLUICE_HTTP_PORT", Integer.toString(taken.getLocalPort())));
            assertThatThrownBy(() -> Ports.check(settings)).isInstanceOf(Refusal.class).hasMessageContaining(Integer.toString(taken.getLocalPort()))
                .hasMessageContaining("SLUICE_HTTP_PORT").hasMessageContaining("org.osgi.service.http.port").hasMessageContaining("org.apache.felix.http.cfg");
        }
    }

    @Test
    void saysWhatMakesThePasswordFile() {
        assertThatThrownBy(() -> new Settings(etc, Map.of()).password()).isInstanceOf(Refusal.class)
            .hasMessageContaining("admin.password").hasMessageContaining("first start");
    }
}
