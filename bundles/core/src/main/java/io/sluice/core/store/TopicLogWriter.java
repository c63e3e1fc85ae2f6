package io.sluice.core.store;

import io.sluice.core.rocketmq.LogTopic;
import io.sluice.core.rocketmq.RocketMqException;
import io.sluice.core.store.AppendQueue.Append;
import io.sluice.core.store.AppendQueue.Raw;
import io.sluice.core.store.StoreLog.Entry;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the topic of a {@link TopicStoreLog}: what is appended, snapshots, and the checkpoint. Has a thread, on which everything is
 * sent; the reader tells it what it has read.
 *
 * <p>Appends that wait together make one message, and the next message is not sent before that one was read back or has failed. So a
 * message that comes into the log late, after a later one of the same writer, is known by its sequence and has no effect: an append that has
 * failed is in the log before the next one, or never.
 */
final class TopicLogWriter {

    private static final Logger LOG = LoggerFactory.getLogger(TopicLogWriter.class);
    private static final int MAX_BATCH_BYTES = 1 << 20;
    private static final int PART_BYTES = 1 << 20;
    /** What is beside the entries in a message: its own frame, and what the broker adds. */
    private static final int MARGIN_BYTES = 4 << 10;
    private static final long IDLE_MS = 500;
    private static final long RESEND_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long FIRST_BACKOFF_MS = 25;
    private static final long MOST_BACKOFF_MS = 1_000;
    private static final long RECENT_BYTES = 8 << 20;

    /** What is needed to write. @param hint see {@link LogFrame.Header} */
    record Link(Era era, long hint) { }

    /** A message that is not read back yet. */
    private record Pending(long sequence, List<Append> appends) { }

    /** A message that was confirmed, in case the era ends and its successor begins without it. */
    private record Recent(long sequence, List<Append> appends, int bytes) { }

    private final LogTopic topic;
    private final TopicLogSettings settings;
    private final AppendQueue queue;
    private final UUID id = UUID.randomUUID();
    private final Thread thread;
    private Runnable checkpoint;
    private LogSnapshot snapshot;
    private Link link;
    private String trouble = "it is not open";
    private Pending pending;
    private final Deque<Recent> recent = new ArrayDeque<>();
    private long recentBytes;
    private final List<Entry> restore = new ArrayList<>();
    private int maxMessageBytes = 4 << 20;
    private boolean closing;

    // The thread's own.
    private long sequence;
    private List<byte[]> parts = List.of();
    private int part;
    private UUID snapshotId;
    private long snapshotCover;
    private Era snapshotEra;

    TopicLogWriter(LogTopic topic, TopicLogSettings settings, AppendQueue queue) {
        this.topic = topic;
        this.settings = settings;
        this.queue = queue;
        this.thread = new Thread(this::run, "sluice-store-" + topic.name() + "-write");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((ended, e) -> LOG.error("topic '{}': its writing thread ended with an error", topic.name(), e));
    }

    UUID id() {
        return id;
    }

    Thread thread() {
        return thread;
    }

    void start() {
        thread.start();
    }

    /** Lets appends in. */
    void open() {
        queue.open();
    }

    synchronized int maxAppendBytes() {
        return maxMessageBytes - MARGIN_BYTES;
    }

    synchronized void limit(int bytes) {
        maxMessageBytes = Math.min(bytes, 4 << 20);
    }

    /** Entries may be written, or not. @param why what is wrong if not */
    synchronized void link(Link now, String why) {
        link = now;
        trouble = why;
        notifyAll();
    }

    /** Asks for a snapshot in the topic. */
    synchronized void snapshot(LogSnapshot wanted) {
        snapshot = wanted;
        notifyAll();
    }

    /** Somebody's snapshot is there, so that ours is not needed. */
    synchronized void snapshotRead() {
        snapshot = null;
        snapshotId = null;
    }

    synchronized boolean busyWithSnapshot() {
        return snapshot != null || snapshotId != null;
    }

    /** Asks for what writes the checkpoint to be run. */
    synchronized void checkpoint(Runnable write) {
        checkpoint = write;
    }

    /** A message of this writer was read back and applied. @param failure why the follower did not take it; null if it did */
    void readBack(long readSequence, long position, IOException failure) {
        Pending confirmed;
        synchronized (this) {
            if (pending == null || pending.sequence != readSequence) {
                return;
            }
            confirmed = pending;
            pending = null;
            int bytes = confirmed.appends.stream().mapToInt(Append::bytes).sum();
            recent.add(new Recent(readSequence, confirmed.appends, bytes));
            recentBytes += bytes;
            while (recentBytes > RECENT_BYTES && recent.size() > 1) {
                recentBytes -= recent.remove().bytes;
            }
            notifyAll();
        }
        complete(confirmed, position << LogState.PLACE_BITS, failure);
    }

    private static void complete(Pending confirmed, long firstPlace, IOException failure) {
        long place = firstPlace - 1;
        for (Append append : confirmed.appends) {
            place += append.entries().size();
            if (failure == null) {
                append.confirmed().complete(place);
            } else {
                append.confirmed().completeExceptionally(failure);
            }
        }
    }

    /**
     * The reader went on to a snapshot.
     *
     * @param included this writer's last sequence in it
     * @param position of the snapshot
     * @param newEra true if nothing that was written so far will follow it; then what was confirmed and is not in it is written again
     */
    void jumped(long included, long position, boolean newEra) {
        Pending confirmed = null;
        synchronized (this) {
            if (pending != null && pending.sequence <= included) {
                confirmed = pending;
                pending = null;
            }
            for (Recent message : recent) {
                if (newEra && message.sequence > included) {
                    message.appends.forEach(append -> append.entries().forEach(entry -> restore.add(new Entry(entry.key(), entry.value()))));
                }
            }
            if (newEra) {
                recent.clear();
                recentBytes = 0;
            }
            notifyAll();
        }
        if (confirmed != null) {
            complete(confirmed, position << LogState.PLACE_BITS, null);
        }
    }

    /** Writes entries again that an era began without. */
    synchronized void restore(List<Entry> entries) {
        restore.addAll(entries);
        notifyAll();
    }

    private void run() {
        try {
            while (step()) {
                Thread.yield();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            queue.refuseAll();
        }
    }

    /** @return false when all is done after closing */
    private boolean step() throws InterruptedException {
        Runnable write;
        List<Entry> again;
        synchronized (this) {
            write = checkpoint;
            checkpoint = null;
            again = link == null ? List.of() : List.copyOf(restore);
            if (link == null) {
                if (closing) {
                    return false;
                }
                wait(IDLE_MS / 5);
            } else {
                restore.clear();
            }
        }
        if (write != null) {
            write.run();
        }
        if (!again.isEmpty()) {
            restoreNow(again);
        }
        if (linkNow().isEmpty()) {
            IOException late = failure(troubleNow(), false);
            queue.expired(settings.appendTimeout().toNanos()).forEach(append -> append.confirmed().completeExceptionally(late));
            return true;
        }
        Optional<List<Append>> batch = queue.take(Math.min(MAX_BATCH_BYTES, maxAppendBytes()), busyWithSnapshot() ? 1 : IDLE_MS);
        if (batch.isEmpty()) {
            return false;
        }
        if (!batch.get().isEmpty()) {
            write(batch.get(), false);
        }
        snapshotPart();
        return true;
    }

    private void restoreNow(List<Entry> entries) throws InterruptedException {
        LOG.warn("topic '{}': writing {} confirmed entries again, which were not in the snapshot with which it goes on", topic.name(), entries.size());
        List<Append> batch = new ArrayList<>();
        int bytes = 0;
        for (Entry entry : entries) {
            try {
                Raw raw = Raw.of(entry);
                if (bytes + raw.bytes() > MAX_BATCH_BYTES && !batch.isEmpty()) {
                    write(batch, true);
                    batch = new ArrayList<>();
                    bytes = 0;
                }
                batch.add(new Append(List.of(raw), raw.bytes()));
                bytes += raw.bytes();
            } catch (CharacterCodingException e) {
                throw new IllegalStateException("it was in the log before", e);
            }
        }
        write(batch, true);
        for (Append append : batch) {
            if (append.confirmed().isCompletedExceptionally()) {
                restore(List.of(new Entry(append.entries().get(0).key(), append.entries().get(0).value())));
            }
        }
    }

    private synchronized Optional<Link> linkNow() {
        return Optional.ofNullable(link);
    }

    private synchronized String troubleNow() {
        return trouble;
    }

    private void write(List<Append> batch, boolean restored) throws InterruptedException {
        List<Raw> entries = batch.stream().flatMap(append -> append.entries().stream()).toList();
        Pending mine = new Pending(++sequence, batch);
        synchronized (this) {
            pending = mine;
        }
        long deadline = System.nanoTime() + settings.appendTimeout().toNanos();
        String why = "it was not read back in time";
        long sentNanos = 0;
        long backoffMs = 0;
        boolean tried = false;
        Era sentFor = null;
        while (true) {
            Link now;
            long left = deadline - System.nanoTime();
            synchronized (this) {
                if (pending != mine) {
                    return;
                }
                now = link;
                if (left <= 0 || closing && now == null) {
                    pending = null;
                    break;
                }
                boolean sent = sentFor != null && now != null && sentFor.equals(now.era) && System.nanoTime() - sentNanos < RESEND_NANOS;
                if (now == null || sent) {
                    why = now == null ? trouble : why;
                    wait(Math.max(1, Math.min(left / 1_000_000, IDLE_MS)));
                    continue;
                }
            }
            try {
                tried = true;
                topic.send(LogFrame.append(new LogFrame.Header(now.era.number(), now.era.id(), id, mine.sequence, now.hint), restored, entries),
                    Duration.ofNanos(left));
                sentFor = now.era;
                sentNanos = System.nanoTime();
                backoffMs = 0;
            } catch (RocketMqException e) {
                why = e.getMessage();
                LOG.debug("topic '{}': {}", topic.name(), why);
                if (!e.isRetriable()) {
                    synchronized (this) {
                        pending = null;
                    }
                    break;
                }
                backoffMs = Math.min(MOST_BACKOFF_MS, Math.max(FIRST_BACKOFF_MS, 2 * backoffMs));
                synchronized (this) {
                    wait(backoffMs);
                }
            }
        }
        IOException failure = failure(why, tried);
        batch.forEach(append -> append.confirmed().completeExceptionally(failure));
    }

    private IOException failure(String why, boolean tried) {
        return new IOException("cannot write to the store in topic '" + topic.name() + "': " + why
            + (tried ? "; the change may be in the store nevertheless" : "; nothing was changed"));
    }

    /** Sends one more part of a snapshot, if there is one to be sent; entries have their turn in between. */
    private void snapshotPart() {
        LogSnapshot wanted;
        Link now;
        UUID of;
        synchronized (this) {
            wanted = snapshot;
            snapshot = null;
            now = link;
            if (wanted != null) {
                snapshotId = UUID.randomUUID();
            } else if (snapshotId == null || now == null || !now.era.equals(snapshotEra)) {
                snapshotId = null;
                parts = List.of();
                return;
            }
            of = snapshotId;
        }
        if (wanted != null) {
            parts = split(wanted.encode(), maxAppendBytes());
            part = 0;
            snapshotCover = wanted.cover();
            snapshotEra = wanted.era();
            return;
        }
        try {
            topic.send(LogFrame.part(new LogFrame.Part(new LogFrame.Header(snapshotEra.number(), snapshotEra.id(), id, 0, now.hint), false, of, part,
                parts.size(), snapshotCover, parts.get(part))), settings.appendTimeout());
            part++;
        } catch (RocketMqException e) {
            LOG.warn("topic '{}': a snapshot cannot be written now and is tried again later: {}", topic.name(), e.getMessage());
            part = parts.size();
        }
        if (part >= parts.size()) {
            snapshotRead();
            parts = List.of();
        }
    }

    static List<byte[]> split(byte[] all, int most) {
        int size = Math.min(PART_BYTES, most);
        List<byte[]> parts = new ArrayList<>();
        for (int at = 0; at < all.length; at += size) {
            parts.add(Arrays.copyOfRange(all, at, Math.min(all.length, at + size)));
        }
        return parts;
    }

    /** Ends the thread when what waits is written or has failed. */
    void close() {
        queue.close();
        synchronized (this) {
            closing = true;
            notifyAll();
        }
    }
}
