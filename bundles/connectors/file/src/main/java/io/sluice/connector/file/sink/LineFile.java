package io.sluice.connector.file.sink;

import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.connector.api.errors.RetriableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One file that lines are put at the end of. What a batch adds is written at once, and taken back if that fails. Used by one thread at a time.
 *
 * <p>The file is locked as long as it's open, so that no other writer's lines get between the halves of ours.
 */
final class LineFile implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LineFile.class);
    /** Bytes that are collected before they are written, though the batch is not complete. */
    private static final int WRITE_BYTES = 8 * 1024 * 1024;

    private final Path path;
    private final SinkOptions options;
    private final Clock clock;
    private final LineBuffer buffer = new LineBuffer();

    private FileChannel channel;
    private Object fileKey;
    private Instant created;
    private boolean everOpened;
    /** The size of the file without what is in the buffer. */
    private long size;
    private long sizeBefore;
    private boolean unforced;
    private ConnectException broken;

    LineFile(Path path, SinkOptions options, Clock clock) {
        this.path = path;
        this.options = options;
        this.clock = clock;
    }

    Path path() {
        return path;
    }

    /** Makes ready for a batch. */
    void begin() throws IOException {
        if (broken != null) {
            throw broken;
        }
        if (channel != null && !isStillThere()) {
            LOG.info("{} was renamed or deleted; a new file is begun", path);
            close();
        }
        rollIfOld();
        if (channel == null) {
            open();
        }
        buffer.clear();
        size = channel.size();
        sizeBefore = size;
    }

    /** Adds a line; its separator comes by itself. */
    void add(byte[] line) throws IOException {
        int before = buffer.length();
        if (size == 0 && before == 0) {
            buffer.add(options.mark());
            before = buffer.length();
        }
        buffer.add(line);
        buffer.add(options.separator());
        boolean hasLines = size + before > options.mark().length;
        if (options.rollSizeBytes() > 0 && size + buffer.length() > options.rollSizeBytes() && hasLines) {
            write(before);
            buffer.clear();
            roll();
            open();
            add(line);
        } else if (buffer.length() >= WRITE_BYTES) {
            write(buffer.length());
        }
    }

    /** Writes what was added. */
    void write() throws IOException {
        write(buffer.length());
    }

    private void write(int count) throws IOException {
        ByteBuffer bytes = buffer.view(count);
        unforced |= count > 0;
        while (bytes.hasRemaining()) {
            channel.write(bytes, size + bytes.position());
        }
        size += count;
        buffer.drop(count);
    }

    /** Takes back what the batch has written so far; a file that was rolled meanwhile keeps its lines. */
    void rollback() {
        buffer.clear();
        if (channel == null) {
            return;
        }
        try {
            channel.truncate(sizeBefore);
            size = sizeBefore;
        } catch (IOException e) {
            LOG.warn("{} cannot be cut back to {} bytes ({}); its end is repaired when it is opened again", path, sizeBefore, e.toString());
            try {
                channel.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            channel = null;
        }
    }

    /** Makes what was written last, as far as the configuration asks for it. */
    void commit() throws IOException {
        if (broken != null) {
            throw broken;
        }
        force();
        rollIfOld();
    }

    private void force() throws IOException {
        if (channel == null || !unforced || !options.fsync()) {
            return;
        }
        try {
            channel.force(false);
            unforced = false;
        } catch (IOException e) {
            // The operating system may have dropped the bytes; a second attempt would succeed and prove nothing.
            broken = new ConnectException(path + " cannot be forced to disk (" + e.getMessage() + "); its lines since the last commit are written again "
                + "when the task is restarted", e);
            throw broken;
        }
    }

    private void open() throws IOException {
        Path directory = path.getParent();
        Files.createDirectories(directory);
        if (!everOpened && !options.append() && Files.exists(path) && Files.size(path) > 0) {
            LOG.info("{} is kept as {}", path, RolledFile.roll(path, clock.instant()));
        }
        channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            lock();
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            fileKey = attributes.fileKey();
            created = channel.size() == 0 ? clock.instant() : attributes.creationTime().toInstant();
            TornLine.repair(path, channel, options);
            if (options.fsync()) {
                RolledFile.forceNames(directory);
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            channel = null;
            throw e;
        }
        everOpened = true;
        size = channel.size();
        sizeBefore = size;
        // What an earlier life of the task has written may not be on disk yet.
        unforced = size > 0;
    }

    private void lock() throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        } catch (IOException e) {
            LOG.warn("{} cannot be locked on its file system ({}); make sure that nobody else writes to it", path, e.toString());
            return;
        }
        if (lock == null) {
            throw new RetriableException(path + " is being written by another task or process; give each its own 'file', with ${task} for its tasks");
        }
    }

    private boolean isStillThere() throws IOException {
        try {
            return fileKey == null || fileKey.equals(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void rollIfOld() throws IOException {
        if (channel == null || options.rollInterval().isZero() || created.plus(options.rollInterval()).isAfter(clock.instant())) {
            return;
        }
        if (channel.size() > options.mark().length) {
            roll();
        }
    }

    private void roll() throws IOException {
        force();
        Path kept = isStillThere() ? RolledFile.roll(path, clock.instant()) : path;
        LOG.info("{} is kept as {}", path, kept);
        channel.close();
        channel = null;
        if (options.fsync()) {
            RolledFile.forceNames(path.getParent());
        }
    }

    /** Forces what was written to disk and closes the file; the next batch opens it again. */
    @Override
    public void close() throws IOException {
        if (channel != null) {
            try {
                force();
            } finally {
                channel.close();
                channel = null;
            }
        }
    }
}
