package io.sluice.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstUserTest {

    @TempDir
    Path etc;

    @Test
    void makesOneUserWithARandomPasswordThatOnlyTheOwnerCanRead() throws IOException {
        Files.writeString(etc.resolve("users.properties"), "# explained here\n#karaf = karaf,_g_:admingroup\n");
        assertThat(FirstUser.ensure(etc)).isTrue();
        String password = Files.readString(etc.resolve("admin.password")).trim();
        assertThat(password).hasSizeGreaterThanOrEqualTo(24);
        assertThat(Files.readString(etc.resolve("users.properties"))).startsWith("# explained here").contains("admin = {CRYPT}").doesNotContain(password);
        for (String file : new String[] {"admin.password", "users.properties"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(etc.resolve(file)))).isEqualTo("rw-------");
        }
        assertThat(FirstUser.ensure(etc)).isFalse();
        assertThat(Files.readString(etc.resolve("admin.password")).trim()).isEqualTo(password);
    }

    @Test
    void leavesAnInstallationAloneThatHasAUser() throws IOException {
        Files.writeString(etc.resolve("users.properties"), "ops = secret,admin\n");
        assertThat(FirstUser.ensure(etc)).isFalse();
        assertThat(etc.resolve("admin.password")).doesNotExist();
    }
}
