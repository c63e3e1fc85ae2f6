package io.sluice.core.store;

import io.sluice.core.store.AppendQueue.Append;
import io.sluice.core.store.AppendQueue.Raw;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a worker that stands alone: a file in a folder of its own, see {@link LogFormat} for the format and {@link LogFolder} for the
 * names.
 *
 * <p>Appends that wait together are written as one frame and share one force; they are confirmed after it. When more than half of the file
 * is outdated, the entries that count are copied to a new file bit by bit, which then takes the old one's place by being renamed: a crash
 * at any moment leaves the one or the other. A failed write is taken back, so that the log goes on when the disk has space again.
 *
 * <p>In memory there are the keys with their positions, and the appends that wait, up to a limit above which they are refused.
 */
public final class FileStoreLog implements StoreLog {

    private static final Logger LOG = LoggerFactory.getLogger(FileStoreLog.class);

    private static final int MAX_APPEND_BYTES = LogFormat.MAX_BODY_BYTES / 2;
    private static final long CLOSE_TIMEOUT_MS = 10_000;

    private final Path folder;
    private final LogFile.Opener opener;
    private final Compaction.Limits limits;
    private final AppendQueue queue;
    private final Thread thread;

    // From here on: the opener, then the log's thread.
    private final LiveEntries live = new LiveEntries();
    private Follower follower;
    private LogFolder files;
    private LogFile file;
    private long nextPosition;
    /** True while writes fail, which is logged once. */
    private boolean refusing;
    private Compaction compaction;
    /** After a failed compaction, the next attempt waits until the file has grown to this. */
    private long compactFromBytes;

    /** @param folder made if it does not exist; nobody else's files may be there */
    public FileStoreLog(Path folder) {
        this(folder, Compaction.Limits.DEFAULT, FileChannel::open);
    }

    FileStoreLog(Path folder, Compaction.Limits limits, LogFile.Opener opener) {
        this.folder = Objects.requireNonNull(folder, "folder");
        this.limits = limits;
        this.opener = opener;
        this.queue = new AppendQueue("the store " + folder, "its disk is too slow for this load");
        this.thread = new Thread(this::run, "sluice-store-" + folder.getFileName());
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((ended, e) -> LOG.error("store {}: its thread ended with an error; it takes nothing any more", folder, e));
    }

    @Override
    public void open(Follower to) throws IOException {
        follower = Objects.requireNonNull(to, "follower");
        if (!queue.isNew()) {
            throw new IllegalStateException("the store " + folder + " was opened before");
        }
        try {
            files = LogFolder.open(folder, opener);
            file = files.current();
            nextPosition = file.beganAt();
            long cut = file.replay((position, key, value, bytes) -> {
                live.note(position, key, value != null, bytes);
                nextPosition = Math.max(nextPosition, position + 1);
                follower.apply(position, key, value);
            });
            files.deleteOutdated();
            if (cut > 0) {
                LOG.warn("store {}: cut {} unconfirmed bytes from the end of {}, which were being written when the worker ended", folder, cut,
                    file.path().getFileName());
            }
        } catch (IOException | RuntimeException | Error e) {
            queue.close();
            release();
            if (e instanceof UncheckedIOException unchecked) {
                throw unchecked.getCause();
            }
            throw e;
        }
        queue.open();
        thread.start();
    }

    @Override
    public CompletableFuture<Long> append(List<Entry> entries) {
        if (entries.isEmpty()) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("there is nothing to append"));
        }
        List<Raw> raw = new ArrayList<>(entries.size());
        long bytes = 0;
        try {
            for (Entry entry : entries) {
                Raw one = Raw.of(entry);
                raw.add(one);
                bytes += one.bytes();
            }
        } catch (CharacterCodingException e) {
            return CompletableFuture.failedFuture(new IOException("the store " + folder + " cannot keep a key with half a surrogate pair", e));
        }
        if (bytes > MAX_APPEND_BYTES) {
            return CompletableFuture.failedFuture(new IOException("the store " + folder + " takes at most " + MAX_APPEND_BYTES
                + " bytes at once, not " + bytes + " as for '" + entries.get(0).key() + "'; make it smaller"));
        }
        Append append = new Append(raw, (int) bytes);
        return queue.put(append).<CompletableFuture<Long>>map(CompletableFuture::failedFuture).orElse(append.confirmed());
    }

    private void run() {
        try {
            for (Optional<List<Append>> batch = queue.take(true); batch.isPresent(); batch = queue.take(compaction == null)) {
                if (!batch.get().isEmpty()) {
                    write(batch.get());
                }
                compact();
            }
            files.settle();
            file.write(ByteBuffer.allocate(0));
        } catch (IOException e) {
            LOG.warn("store {}: could not be closed in order; nothing confirmed is lost by that", folder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            queue.refuseAll();
            release();
        }
    }

    private void write(List<Append> batch) {
        try {
            files.settle();
            file.write(body(batch));
        } catch (IOException | RuntimeException | Error e) {
            IOException failure = new IOException("cannot write to the store " + file.path() + ": " + e.getMessage()
                + "; nothing was changed; see that the disk has space and the file can be written", e);
            if (!refusing) {
                LOG.error("{}", failure.getMessage(), e);
            }
            refusing = true;
            batch.forEach(append -> append.confirmed().completeExceptionally(failure));
            return;
        }
        if (refusing) {
            LOG.info("store {}: takes entries again", folder);
            refusing = false;
        }
        batch.forEach(this::confirm);
    }

    private ByteBuffer body(List<Append> batch) {
        ByteBuffer body = ByteBuffer.allocate(batch.stream().mapToInt(Append::bytes).sum());
        long position = nextPosition;
        for (Append append : batch) {
            for (Raw entry : append.entries()) {
                body.put(LogFormat.entry(position++, entry.keyBytes(), entry.value()));
            }
        }
        return body.flip();
    }

    private void confirm(Append append) {
        IOException failure = null;
        for (Raw entry : append.entries()) {
            long position = nextPosition++;
            live.note(position, entry.key(), entry.value() != null, entry.bytes());
            try {
                follower.apply(position, entry.key(), entry.value());
            } catch (RuntimeException | Error e) {
                LOG.error("store {}: '{}' was written but could not be applied", folder, entry.key(), e);
                failure = new IOException("'" + entry.key() + "' is in the store " + folder + " but could not be applied: " + e, e);
            }
        }
        if (failure == null) {
            append.confirmed().complete(nextPosition - 1);
        } else {
            append.confirmed().completeExceptionally(failure);
        }
    }

    private void compact() {
        try {
            if (compaction == null) {
                long outdated = file.length() - LogFormat.HEADER_BYTES - live.bytes();
                if (outdated <= Math.max(limits.outdatedBytes(), live.bytes()) || file.length() < compactFromBytes) {
                    return;
                }
                compaction = new Compaction(file, files.begin(nextPosition), live);
            }
            if (compaction.step(limits.stepBytes())) {
                LogFile old = file;
                file = files.publish(compaction.target());
                compaction = null;
                compactFromBytes = 0;
                old.close();
                files.settle();
                LOG.debug("store {}: compacted from {} to {} bytes", folder, old.length(), file.length());
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("store {}: cannot be compacted now and goes on growing: {}", folder, e.toString());
            compactFromBytes = file.length() + limits.outdatedBytes();
            giveUpCompaction();
        }
    }

    private void giveUpCompaction() {
        if (compaction != null) {
            try {
                compaction.close();
                files.deleteOutdated();
            } catch (IOException e) {
                LOG.debug("store {}: an unfinished file stays until the next start", folder, e);
            }
            compaction = null;
        }
    }

    @Override
    public void close() {
        queue.close();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(CLOSE_TIMEOUT_MS);
            if (thread.isAlive()) {
                LOG.warn("store {}: its thread did not end within {} ms; its disk does not answer", folder, CLOSE_TIMEOUT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void release() {
        giveUpCompaction();
        try (LogFolder closing = files; LogFile closingFirst = file) {
            LOG.debug("store {}: closed", folder);
        } catch (IOException e) {
            LOG.warn("store {}: cannot be closed cleanly", folder, e);
        }
    }
}
