package io.sluice.core.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder of a {@link FileStoreLog}. Its files are {@code <generation>.log}, of which the one with the highest generation counts;
 * {@code <generation>.log.tmp}, which is not finished; and {@code lock}. A crash may leave unfinished and outdated ones behind; they go when
 * the folder is opened again. One thread.
 */
final class LogFolder implements Closeable {

    private static final String SUFFIX = ".log";
    private static final String UNFINISHED = ".tmp";

    private final Path folder;
    private final LogFile.Opener opener;
    private final FolderLock lock;
    private long generation;
    /** True if a file got its name, but that is not known to be on the disk. */
    private boolean unsettled;

    private LogFolder(Path folder, LogFile.Opener opener, FolderLock lock) {
        this.folder = folder;
        this.opener = opener;
        this.lock = lock;
    }

    /** Locks a folder, which is made if it does not exist. @throws IOException if somebody else has it */
    static LogFolder open(Path folder, LogFile.Opener opener) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            force(folder.toAbsolutePath().getParent(), opener);
        }
        return new LogFolder(folder, opener, FolderLock.of(folder));
    }

    /** The file that counts; a new one if there is none. */
    LogFile current() throws IOException {
        Optional<Path> newest = files(SUFFIX).stream().max((a, b) -> Long.compare(generationOf(a), generationOf(b)));
        if (newest.isPresent()) {
            generation = generationOf(newest.get());
            return LogFile.open(opener, newest.get());
        }
        LogFile file = publish(begin(0));
        settle();
        return file;
    }

    /** Begins the file that is to follow the present one. */
    LogFile begin(long beganAt) throws IOException {
        return LogFile.create(opener, pathOf(generation + 1, SUFFIX + UNFINISHED), beganAt);
    }

    /** Puts a file that was begun and is now complete in the place of the present one. */
    LogFile publish(LogFile file) throws IOException {
        file.force();
        Path target = pathOf(generation + 1, SUFFIX);
        try {
            Files.move(file.path(), target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("the file system of " + folder + " cannot rename a file in one step; keep the store on a local disk", e);
        }
        generation++;
        unsettled = true;
        return file.renamed(target);
    }

    /** Makes sure that what was published stays; only then may the present file take entries and the ones before it go. */
    void settle() throws IOException {
        if (unsettled) {
            force(folder, opener);
            unsettled = false;
            deleteOutdated();
        }
    }

    /** Deletes what a crash or a replaced file has left. */
    void deleteOutdated() throws IOException {
        for (Path path : files(SUFFIX + UNFINISHED)) {
            Files.deleteIfExists(path);
        }
        for (Path path : files(SUFFIX)) {
            if (generationOf(path) < generation) {
                Files.deleteIfExists(path);
            }
        }
    }

    private List<Path> files(String suffix) throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(path -> path.getFileName().toString().matches("\\d{12}" + suffix.replace(".", "\\."))).toList();
        }
    }

    private Path pathOf(long number, String suffix) {
        return folder.resolve(String.format("%012d", number) + suffix);
    }

    private static long generationOf(Path path) {
        return Long.parseLong(path.getFileName().toString().substring(0, 12));
    }

    private static void force(Path folder, LogFile.Opener opener) throws IOException {
        try (FileChannel channel = opener.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
