package io.sluice.plugin.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokenArchivesTest {

    @TempDir
    Path folder;
    private final BrokenArchives broken = new BrokenArchives();

    @Test
    void takesExactlyTheArchivesThatCannotBeRead() throws IOException {
        Path whole = folder.resolve("whole.jar");
        try (OutputStream out = Files.newOutputStream(whole); ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("a.txt"));
            zip.write(new byte[10_000]);
        }
        byte[] bytes = Files.readAllBytes(whole);
        assertThat(broken.canHandle(whole.toFile())).isFalse();
        for (int length = 0; length < bytes.length; length++) {
            Path part = Files.write(folder.resolve("part.jar"), Arrays.copyOf(bytes, length));
            assertThat(broken.canHandle(part.toFile())).as("%d of %d bytes", length, bytes.length).isTrue();
            assertThat(BrokenArchives.problem(part.toFile())).isNotBlank();
        }
        assertThat(broken.canHandle(Files.write(folder.resolve("part.cfg"), new byte[3]).toFile())).isFalse();
        assertThat(broken.canHandle(folder.toFile())).isFalse();
    }
}
