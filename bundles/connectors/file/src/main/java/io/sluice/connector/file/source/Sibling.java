package io.sluice.connector.file.source;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A regular file beside a tailed one, as it was seen in the directory.
 *
 * @param path where it was seen; it may be renamed at any time
 * @param id what it is
 * @param modified when it was last changed
 * @param size its size in bytes
 */
record Sibling(Path path, FileId id, FileTime modified, long size) {

    private static final int LIST_ATTEMPTS = 20;

    String name() {
        return path.getFileName().toString();
    }

    /**
     * The regular files of a directory whose names fit. Listed until two listings in a row agree, since one that is made while files are
     * renamed may miss a file or show it twice.
     */
    static List<Sibling> list(Path directory, Predicate<String> names) throws IOException {
        List<Sibling> before = listOnce(directory, names);
        for (int i = 0; i < LIST_ATTEMPTS; i++) {
            List<Sibling> after = listOnce(directory, names);
            if (places(before).equals(places(after))) {
                return after;
            }
            before = after;
        }
        return before;
    }

    private static List<String> places(List<Sibling> siblings) {
        return siblings.stream().map(sibling -> sibling.name() + "\n" + sibling.id()).sorted().toList();
    }

    private static List<Sibling> listOnce(Path directory, Predicate<String> names) throws IOException {
        List<Sibling> siblings = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, entry -> names.test(entry.getFileName().toString()))) {
            for (Path entry : entries) {
                try {
                    BasicFileAttributes attributes = Files.readAttributes(entry, BasicFileAttributes.class);
                    if (attributes.isRegularFile()) {
                        siblings.add(new Sibling(entry, FileId.of(attributes), attributes.lastModifiedTime(), attributes.size()));
                    }
                } catch (NoSuchFileException e) {
                    // Renamed or deleted since; the next listing will show the truth.
                    continue;
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return siblings;
    }
}
