package io.sluice.core.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps everybody else out of a folder: other processes by a lock on the file {@code lock}, which ends with the process however that ends, and
 * other users in this process.
 */
final class FolderLock implements Closeable {

    /**
     * The folders locked by this process. It takes a set of its own, because on POSIX systems closing any channel on the lock file, such
     * as the one of a failed attempt, ends the process's lock on it.
     */
    private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel channel;

    private FolderLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** @throws IOException if somebody else has the folder */
    static FolderLock of(Path folder) throws IOException {
        Path real = folder.toRealPath();
        if (!LOCKED.add(real)) {
            throw inUse(folder, Optional.of(ProcessHandle.current().pid()));
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(real.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (!lock(channel)) {
                throw inUse(folder, holder(channel));
            }
            channel.truncate(0);
            channel.write(StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
            return new FolderLock(real, channel);
        } catch (IOException | RuntimeException e) {
            if (channel != null) {
                channel.close();
            }
            LOCKED.remove(real);
            throw e;
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Held by another class loader's copy of this class, such as one that could not be closed before its bundle was updated.
            return false;
        }
    }

    private static Optional<Long> holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(32);
        channel.read(text, 0);
        String pid = StandardCharsets.US_ASCII.decode(text.flip()).toString().trim();
        return pid.matches("\\d{1,18}") ? Optional.of(Long.parseLong(pid)) : Optional.empty();
    }

    private static IOException inUse(Path folder, Optional<Long> pid) {
        return new IOException("the store folder " + folder + " is in use by " + pid.map(id -> "the process " + id).orElse("another process")
            + "; stop that worker, or give this one a folder of its own");
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            LOCKED.remove(folder);
        }
    }
}
