package io.sluice.core.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a worker that stands alone: a folder with one file that is appended to, see {@link LogFile} for its format.
 *
 * <p>An append is confirmed when its bytes were forced to the disk; appends that wait together share one force. When more than half of a
 * file is outdated, the entries that count are copied to a new file, which takes the old one's place by being renamed: a crash at any
 * moment leaves the one or the other. The folder is locked against a second process.
 */
public final class FileStoreLog implements StoreLog {

    private static final Logger LOG = LoggerFactory.getLogger(FileStoreLog.class);
    private static final String SUFFIX = ".log";
    private static final int QUEUE = 10_000;
    private static final int MAX_BATCH = 1_000;
    private static final long COMPACT_ABOVE_BYTES = 1 << 20;

    private record Append(String key, byte[] value, CompletableFuture<Long> confirmed) { }

    private record Slot(long position, long at, int bytes) { }

    private final Path folder;
    private final long compactAboveBytes;
    private final BlockingQueue<Append> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Map<String, Slot> index = new HashMap<>();
    private final Thread writer;
    private volatile boolean closed;
    private Follower follower;
    private FileChannel lockFile;
    private LogFile file;
    private long generation;
    private long nextPosition;
    private long liveBytes;

    /** @param folder made if it does not exist */
    public FileStoreLog(Path folder) {
        this(folder, COMPACT_ABOVE_BYTES);
    }

    FileStoreLog(Path folder, long compactAboveBytes) {
        this.folder = Objects.requireNonNull(folder, "folder");
        this.compactAboveBytes = compactAboveBytes;
        this.writer = new Thread(this::write, "sluice-store-" + folder.getFileName());
        writer.setDaemon(true);
        writer.setUncaughtExceptionHandler((thread, e) -> LOG.error("store {}: its thread ended with an error", folder, e));
    }

    @Override
    public void open(Follower to) throws IOException {
        follower = Objects.requireNonNull(to, "to");
        Files.createDirectories(folder);
        lock();
        try {
            load();
        } catch (IOException | RuntimeException e) {
            release();
            throw e;
        }
        writer.start();
    }

    private void lock() throws IOException {
        lockFile = FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock;
        try {
            lock = lockFile.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            lockFile.close();
            throw new IOException("the store folder " + folder + " is in use by another worker; stop that one, or set 'store.folder' to another folder");
        }
    }

    private void load() throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(folder)) {
            files = new ArrayList<>(found.filter(path -> path.getFileName().toString().matches("\\d+\\.log(\\.tmp)?")).toList());
        }
        files.sort(Comparator.comparingLong(FileStoreLog::generationOf));
        Path newest = null;
        for (Path path : files) {
            // A temporary file was never finished, and an older one was replaced: a crash has kept them from being deleted.
            if (path.toString().endsWith(".tmp")) {
                Files.delete(path);
            } else {
                if (newest != null) {
                    Files.delete(newest);
                }
                newest = path;
            }
        }
        if (newest != null && Files.size(newest) < LogFile.HEADER_BYTES && files.size() == 1) {
            // The very first file, torn before it held anything.
            Files.delete(newest);
            newest = null;
        }
        if (newest == null) {
            file = LogFile.create(pathOf(0), 0);
            file.force();
            forceFolder();
            return;
        }
        generation = generationOf(newest);
        file = LogFile.open(newest);
        nextPosition = file.firstPosition();
        long cut = file.replay(entry -> {
            note(entry.position(), entry.key(), entry.value() != null, entry.at(), entry.bytes());
            follower.apply(entry.position(), entry.key(), entry.value());
        });
        if (cut > 0) {
            LOG.warn("store {}: cut {} bytes of an entry that was being written when the worker ended", newest, cut);
        }
    }

    private static long generationOf(Path path) {
        String name = path.getFileName().toString();
        return Long.parseLong(name.substring(0, name.indexOf('.')));
    }

    private Path pathOf(long number) {
        return folder.resolve(String.format("%012d", number) + SUFFIX);
    }

    private void note(long position, String key, boolean present, long at, int bytes) {
        Slot before = present ? index.put(key, new Slot(position, at, bytes)) : index.remove(key);
        liveBytes += (present ? bytes : 0) - (before == null ? 0 : before.bytes());
        nextPosition = position + 1;
    }

    @Override
    public CompletableFuture<Long> append(String key, byte[] value) {
        Append append = new Append(Objects.requireNonNull(key, "key"), value, new CompletableFuture<>());
        if (closed || file == null) {
            append.confirmed.completeExceptionally(closedException());
        } else if (!queue.offer(append)) {
            append.confirmed.completeExceptionally(new IOException("the store " + folder + " has " + QUEUE
                + " entries waiting to be written; the disk is too slow for this load"));
        } else if (closed) {
            failWaiting();
        }
        return append.confirmed;
    }

    private IOException closedException() {
        return new IOException("the store " + folder + " is closed");
    }

    private void write() {
        List<Append> batch = new ArrayList<>();
        while (!closed) {
            try {
                Append first = queue.poll(100, TimeUnit.MILLISECONDS);
                if (first == null) {
                    continue;
                }
                batch.add(first);
                queue.drainTo(batch, MAX_BATCH - 1);
                writeBatch(batch);
                compactIfWorthwhile();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } finally {
                batch.clear();
            }
        }
    }

    private void writeBatch(List<Append> batch) {
        long end = file.length();
        long position = nextPosition;
        List<ByteBuffer> encoded = new ArrayList<>(batch.size());
        try {
            int bytes = 0;
            for (Append append : batch) {
                ByteBuffer entry = LogFile.encode(position++, append.key, append.value);
                bytes += entry.remaining();
                encoded.add(entry);
            }
            ByteBuffer together = ByteBuffer.allocate(bytes);
            encoded.forEach(entry -> together.put(entry.duplicate()));
            file.append(together.flip());
            file.force();
        } catch (IOException | RuntimeException e) {
            undo(end);
            IOException failure = new IOException("cannot write to the store " + file.path() + ": " + e.getMessage()
                + "; make sure that the disk has space and the file may be written", e);
            batch.forEach(append -> append.confirmed.completeExceptionally(failure));
            return;
        }
        long at = end;
        for (int i = 0; i < batch.size(); i++) {
            Append append = batch.get(i);
            long own = nextPosition;
            int bytes = encoded.get(i).remaining();
            note(own, append.key, append.value != null, at, bytes);
            at += bytes;
            apply(own, append);
            append.confirmed.complete(own);
        }
    }

    private void apply(long position, Append append) {
        try {
            follower.apply(position, append.key, append.value);
        } catch (RuntimeException e) {
            LOG.error("store {}: its follower failed at '{}'", folder, append.key, e);
        }
    }

    /** Cuts what may have been written of a batch that failed, so that it is not found after a restart. */
    private void undo(long end) {
        try {
            file.truncate(end);
        } catch (IOException e) {
            LOG.error("store {}: cannot cut an entry that was not confirmed; it may be found after a restart", file.path(), e);
        }
    }

    private void compactIfWorthwhile() {
        long garbage = file.length() - LogFile.HEADER_BYTES - liveBytes;
        if (garbage <= Math.max(compactAboveBytes, liveBytes)) {
            return;
        }
        try {
            compact();
        } catch (IOException e) {
            LOG.warn("store {}: cannot be compacted now, its file goes on growing: {}", file.path(), e.toString());
        }
    }

    private void compact() throws IOException {
        Path target = pathOf(generation + 1);
        Path temporary = target.resolveSibling(target.getFileName() + ".tmp");
        Map<String, Slot> moved = new HashMap<>();
        LogFile next = LogFile.create(temporary, nextPosition);
        try {
            List<Map.Entry<String, Slot>> live = new ArrayList<>(index.entrySet());
            live.sort(Comparator.comparingLong(entry -> entry.getValue().position()));
            for (Map.Entry<String, Slot> slot : live) {
                LogFile.Entry entry = file.entryAt(slot.getValue().at());
                if (entry == null) {
                    throw new IOException(file.path() + " is damaged at byte " + slot.getValue().at());
                }
                moved.put(slot.getKey(), new Slot(entry.position(), next.length(), entry.bytes()));
                next.append(LogFile.encode(entry.position(), entry.key(), entry.value()));
            }
            next.force();
            rename(temporary, target);
        } catch (IOException | RuntimeException e) {
            next.close();
            Files.deleteIfExists(temporary);
            throw e;
        }
        LogFile old = file;
        file = LogFile.open(target);
        next.close();
        generation++;
        index.clear();
        index.putAll(moved);
        old.close();
        Files.deleteIfExists(old.path());
        LOG.debug("store {}: compacted to {} bytes", file.path(), file.length());
    }

    private void rename(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("the file system of " + folder + " cannot rename a file in one step; set 'store.folder' to a local disk", e);
        }
        forceFolder();
    }

    private void forceFolder() throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private void failWaiting() {
        List<Append> waiting = new ArrayList<>();
        queue.drainTo(waiting);
        waiting.forEach(append -> append.confirmed.completeExceptionally(closedException()));
    }

    @Override
    public void close() {
        closed = true;
        if (writer.isAlive()) {
            try {
                // Its poll ends soon; it is not interrupted, since that would close the file under a write.
                writer.join(5_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        failWaiting();
        release();
    }

    private void release() {
        try {
            if (file != null) {
                file.close();
            }
            if (lockFile != null) {
                lockFile.close();
            }
        } catch (IOException e) {
            LOG.warn("store {}: cannot be closed cleanly", folder, e);
        }
    }
}
