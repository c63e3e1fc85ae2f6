package io.sluice.connector.file.sink;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Gives a finished file its final name. */
final class RolledFile {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private RolledFile() {
    }

    /** Renames {@code file} to {@code name-<time>.ext}, or {@code name-<time>-2.ext} and so on if that is taken; never over an existing file. */
    static Path roll(Path file, Instant now) throws IOException {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        String stem = (dot > 0 ? name.substring(0, dot) : name) + "-" + TIME.format(now);
        String extension = dot > 0 ? name.substring(dot) : "";
        for (int i = 1; ; i++) {
            Path target = file.resolveSibling(stem + (i == 1 ? "" : "-" + i) + extension);
            try {
                // The name is taken first: a rename alone would silently replace a file that somebody makes at the same moment.
                Files.createFile(target);
            } catch (FileAlreadyExistsException e) {
                continue;
            }
            return Files.move(file, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Forces the names in a directory to disk, where the operating system can. */
    static void forceNames(Path directory) throws IOException {
        if (!System.getProperty("os.name").startsWith("Windows")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
