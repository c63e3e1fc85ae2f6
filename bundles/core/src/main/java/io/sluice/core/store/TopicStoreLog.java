package io.sluice.core.store;

import io.sluice.core.rocketmq.LogTopic;
import io.sluice.core.store.AppendQueue.Append;
import io.sluice.core.store.AppendQueue.Raw;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log that the workers of a cluster share: a RocketMQ topic with one queue, whose messages all of them read in the same order. See
 * {@link LogFrame} for the format.
 *
 * <ul>
 * <li>An append is confirmed when its own message was read back. A message that came into the topic twice counts once.
 * <li>RocketMQ deletes old messages, so what counts is written again as a {@link LogSnapshot} in time, by whoever notices first. A worker
 * that joins begins with the newest one; every message says where that is.
 * <li>Each worker keeps a {@link Checkpoint} in a folder of its own as well, from which it starts faster, and from which the topic is filled
 * again if it was deleted.
 * <li>If the topic loses what was in it, the workers agree on how to go on, see {@link LogContest}. Positions go on growing.
 * <li>What cannot be confirmed within a time fails; nothing waits for ever. Reading goes on by itself when the broker is back.
 * </ul>
 */
public final class TopicStoreLog implements StoreLog {

    private static final Logger LOG = LoggerFactory.getLogger(TopicStoreLog.class);
    private static final long END_MS = 10_000;

    private final LogTopic topic;
    private final TopicLogSettings settings;
    private final AppendQueue queue;
    private final TopicLogWriter writer;
    private final List<Consumer<Optional<String>>> listeners = new CopyOnWriteArrayList<>();
    private volatile TopicLogReader reader;

    public TopicStoreLog(LogTopic topic, TopicLogSettings settings) {
        this.topic = Objects.requireNonNull(topic, "topic");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.queue = new AppendQueue("the store in topic '" + topic.name() + "'", "RocketMQ is too slow for this load, or away");
        this.writer = new TopicLogWriter(topic, settings, queue);
    }

    /**
     * Listens to whether the log can be read and written; call it before the log is opened.
     *
     * @param listener gets what is wrong, or nothing when all is well again; on the log's own thread, and must not block
     */
    public void listen(Consumer<Optional<String>> listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /** True if the log can be read and written, as far as is known. */
    public boolean connected() {
        TopicLogReader known = reader;
        return known != null && known.connected();
    }

    /** How long ago the broker last answered a read of the log; an idle log is asked every eight seconds at least. */
    public Duration lag() {
        TopicLogReader known = reader;
        return known == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - known.aliveNanos());
    }

    @Override
    public void open(Follower follower) throws IOException {
        Objects.requireNonNull(follower, "follower");
        if (!queue.isNew() || reader != null) {
            throw new IllegalStateException("the store in topic '" + topic.name() + "' was opened before");
        }
        Checkpoint checkpoint = Checkpoint.in(settings.folder());
        try {
            reader = new TopicLogReader(topic, settings, writer, Optional.of(checkpoint), checkpoint.read(), follower, this::tell);
        } catch (IOException | RuntimeException e) {
            checkpoint.close();
            throw e;
        }
        writer.start();
        reader.thread().start();
        try {
            reader.opening().get(settings.openTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the store in topic '" + topic.name() + "' was being opened", e);
        } catch (TimeoutException e) {
            String trouble = reader.trouble();
            close();
            throw new IOException("the store in topic '" + topic.name() + "' could not be read within " + settings.openTimeout().toSeconds() + " s: "
                + trouble, e);
        } catch (ExecutionException e) {
            close();
            if (e.getCause() instanceof IOException io) {
                throw new IOException(io.getMessage(), io);
            }
            throw new IllegalStateException("the store in topic '" + topic.name() + "' cannot be opened", e.getCause());
        }
    }

    private void tell(Optional<String> trouble) {
        for (Consumer<Optional<String>> listener : listeners) {
            try {
                listener.accept(trouble);
            } catch (RuntimeException e) {
                LOG.error("topic '{}': a listener failed", topic.name(), e);
            }
        }
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
            return CompletableFuture.failedFuture(new IOException("the store in topic '" + topic.name() + "' cannot keep a key with half a surrogate pair", e));
        }
        if (bytes > writer.maxAppendBytes()) {
            return CompletableFuture.failedFuture(new IOException("the store in topic '" + topic.name() + "' takes at most " + writer.maxAppendBytes()
                + " bytes at once, not " + bytes + " as for '" + entries.get(0).key() + "': they have to fit into one message of the broker, whose limit"
                + " is its setting maxMessageSize"));
        }
        Append append = new Append(raw, (int) bytes);
        return queue.put(append).<CompletableFuture<Long>>map(CompletableFuture::failedFuture).orElse(append.confirmed());
    }

    @Override
    public void close() {
        writer.close();
        TopicLogReader known = reader;
        if (known == null) {
            return;
        }
        known.close();
        if (Thread.currentThread() == known.thread() || Thread.currentThread() == writer.thread()) {
            return;
        }
        try {
            writer.thread().join(settings.appendTimeout().toMillis() + END_MS);
            known.interrupt();
            known.thread().join(END_MS);
            if (writer.thread().isAlive() || known.thread().isAlive()) {
                LOG.warn("topic '{}': a thread of the store did not end in time; RocketMQ does not answer", topic.name());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
