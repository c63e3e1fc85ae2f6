package io.sluice.core.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's own copy of a log, in the file {@code checkpoint} of a folder of its own: a start reads only what came since, and a topic
 * whose messages are gone is filled again from it. The file is there as a whole or not at all.
 */
final class Checkpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Checkpoint.class);

    private final Path folder;
    private final Path file;
    private final FolderLock lock;

    private Checkpoint(Path folder, FolderLock lock) {
        this.folder = folder;
        this.file = folder.resolve("checkpoint");
        this.lock = lock;
    }

    /** @throws IOException if somebody else has the folder */
    static Checkpoint in(Path folder) throws IOException {
        Files.createDirectories(folder);
        return new Checkpoint(folder, FolderLock.of(folder));
    }

    Path file() {
        return file;
    }

    /** @return empty if there is none, or it is of no use, which is logged */
    Optional<LogSnapshot> read() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        byte[] bytes = Files.readAllBytes(file);
        try {
            return Optional.of(LogSnapshot.decode(bytes));
        } catch (IOException e) {
            LOG.warn("{} is not used, all is read from the topic instead: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    void write(LogSnapshot snapshot) throws IOException {
        Path unfinished = folder.resolve("checkpoint.tmp");
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(snapshot.encode());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("the lock of {} cannot be given back in order", folder, e);
        }
    }
}
