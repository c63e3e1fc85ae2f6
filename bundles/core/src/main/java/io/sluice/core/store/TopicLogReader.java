package io.sluice.core.store;

import io.sluice.core.rocketmq.LogTopic;
import io.sluice.core.rocketmq.LogTopic.Message;
import io.sluice.core.rocketmq.MissingTopicException;
import io.sluice.core.rocketmq.RocketMq;
import io.sluice.core.rocketmq.RocketMqException;
import io.sluice.core.store.SnapshotParts.Snapshot;
import io.sluice.core.store.StoreLog.Follower;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topic of a {@link TopicStoreLog} and applies what is in it, on a thread of its own.
 *
 * <p>After every failure it begins by looking whether the last message that it has is still where it was. If it is, so is everything before
 * it; if not, the topic was deleted or the broker lost its end, and {@link LogContest} decides how the log goes on.
 */
final class TopicLogReader {

    private static final Logger LOG = LoggerFactory.getLogger(TopicLogReader.class);
    private static final Duration LONG_POLL = Duration.ofSeconds(3);
    private static final long PAUSE_MS = 100;
    private static final long FIRST_BACKOFF_MS = 50;
    private static final long MOST_BACKOFF_MS = 2_000;

    private enum Mode { BEGIN, SEARCH, FOLLOW, CONTEST, DIVERGED }

    /** Where a message is, and what tells it from others. */
    private record Place(Era era, long position, int crc) {

        long offset() {
            return era.offset(position);
        }
    }

    private final LogTopic topic;
    private final TopicLogSettings settings;
    private final TopicLogWriter writer;
    private final Optional<Checkpoint> checkpoint;
    private final SnapshotParts parts = new SnapshotParts();
    private final LogContest contest;
    private final SnapshotDuty duty;
    private final LogState state;
    private final Thread thread;
    private final CompletableFuture<Void> opening = new CompletableFuture<>();
    private final Consumer<Optional<String>> connection;

    private Mode mode = Mode.BEGIN;
    /** True when the follower has been told something, so that the present state cannot be given up any more. */
    private boolean fed;
    /** The local checkpoint, until it is known what it is good for. */
    private LogSnapshot spare;
    private long next;
    private long target;
    private boolean searchedAll;
    private boolean limited;
    private long shortSinceNanos;
    private boolean isShort;
    private long backoffMs;
    private IOException applyFailure;
    private volatile String trouble = "it was not reached yet";
    private volatile boolean connected;
    private volatile boolean closing;
    private boolean ending;
    private volatile long aliveNanos = System.nanoTime();

    TopicLogReader(LogTopic topic, TopicLogSettings settings, TopicLogWriter writer, Optional<Checkpoint> checkpoint, Optional<LogSnapshot> spare,
                   Follower follower, Consumer<Optional<String>> connection) {
        this.topic = topic;
        this.settings = settings;
        this.writer = writer;
        this.checkpoint = checkpoint;
        this.spare = spare.orElse(null);
        this.connection = connection;
        this.state = new LogState((position, key, value) -> feed(follower, position, key, value));
        this.contest = new LogContest(topic, settings, writer.id(), parts);
        this.duty = new SnapshotDuty(settings, state);
        this.thread = new Thread(this::run, "sluice-store-" + topic.name() + "-read");
        thread.setDaemon(true);
    }

    private void feed(Follower follower, long position, String key, byte[] value) {
        fed = true;
        try {
            follower.apply(position, key, value);
        } catch (RuntimeException | Error e) {
            if (!opening.isDone()) {
                throw e;
            }
            LOG.error("topic '{}': '{}' is in the log but could not be applied", topic.name(), key, e);
            applyFailure = new IOException("'" + key + "' is in the store in topic '" + topic.name() + "' but could not be applied: " + e, e);
        }
    }

    Thread thread() {
        return thread;
    }

    CompletableFuture<Void> opening() {
        return opening;
    }

    String trouble() {
        return trouble;
    }

    boolean connected() {
        return connected;
    }

    /** When the broker last answered a read of the log, in the time of {@link System#nanoTime()}. */
    long aliveNanos() {
        return aliveNanos;
    }

    /** The thread ends as soon as the writer's has. */
    void close() {
        closing = true;
    }

    /** Ends a read that waits for messages. */
    void interrupt() {
        synchronized (thread) {
            if (!ending) {
                thread.interrupt();
            }
        }
    }

    private void run() {
        try {
            while (!(closing && !writer.thread().isAlive())) {
                try {
                    step();
                } catch (MissingTopicException e) {
                    failed(e);
                    mode = Mode.BEGIN;
                } catch (RocketMqException e) {
                    failed(e);
                    if (!e.isRetriable() && !opening.isDone()) {
                        throw new IOException(e.getMessage(), e);
                    }
                    mode = mode == Mode.FOLLOW ? Mode.BEGIN : mode;
                }
            }
        } catch (IOException | UncheckedIOException e) {
            Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
            end("the store in topic '" + topic.name() + "' " + cause.getMessage(), cause);
        } catch (InterruptedException e) {
            LOG.debug("topic '{}': reading was ended", topic.name());
        } catch (RuntimeException | Error e) {
            end("the store in topic '" + topic.name() + "' cannot be read: " + e, e);
        } finally {
            connected = false;
            if (closing) {
                writer.link(null, "it is closed");
            }
            synchronized (thread) {
                // A file that is used by an interrupted thread is closed.
                ending = true;
                Thread.interrupted();
            }
            if (opening.isDone() && !opening.isCompletedExceptionally()) {
                save(snapshotHeld());
            }
            opening.completeExceptionally(new IOException("the store in topic '" + topic.name() + "' is closed"));
            checkpoint.ifPresent(Checkpoint::close);
        }
    }

    private void end(String what, Throwable cause) {
        if (!opening.completeExceptionally(cause instanceof Error || cause instanceof RuntimeException && !(cause instanceof RocketMqException)
            ? cause : new IOException(what, cause))) {
            LOG.error("{}; it is not read any more", what, cause);
        }
        writer.link(null, what);
        connection.accept(Optional.of(what));
    }

    private void failed(RocketMqException e) throws InterruptedException {
        if (backoffMs == 0) {
            LOG.warn("topic '{}': {}; trying again until it succeeds", topic.name(), e.getMessage());
        }
        disconnected(e.getMessage());
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        backoffMs = Math.min(MOST_BACKOFF_MS, Math.max(FIRST_BACKOFF_MS, 2 * backoffMs));
        Thread.sleep(backoffMs);
    }

    private void disconnected(String why) {
        trouble = why;
        writer.link(null, why);
        if (connected) {
            connected = false;
            connection.accept(Optional.of(why));
        }
    }

    private void linked() {
        writer.link(new TopicLogWriter.Link(state.era(), duty.hint()), "");
        if (!connected) {
            if (backoffMs > 0) {
                LOG.info("topic '{}': reading goes on", topic.name());
            }
            connected = true;
            connection.accept(Optional.empty());
        }
        backoffMs = 0;
    }

    private void step() throws IOException, InterruptedException {
        if (mode == Mode.BEGIN) {
            begin();
            return;
        }
        if (mode == Mode.DIVERGED) {
            Thread.sleep(PAUSE_MS);
            return;
        }
        LogTopic.Read read = topic.read(next, mode == Mode.FOLLOW && opening.isDone() ? LONG_POLL : Duration.ZERO);
        if (mode == Mode.FOLLOW) {
            aliveNanos = System.nanoTime();
        }
        if (next < read.least() && read.messages().isEmpty() || next > read.end()) {
            if (mode == Mode.FOLLOW || next > read.end()) {
                mode = Mode.BEGIN;
            } else {
                next = read.least();
            }
            return;
        }
        for (Message message : read.messages()) {
            if (mode == Mode.FOLLOW && message.offset() != next) {
                mode = Mode.BEGIN;
                Thread.sleep(PAUSE_MS);
                return;
            }
            Mode before = mode;
            long following = message.offset() + 1;
            next = following;
            take(message);
            if (next != following || mode != before) {
                break;
            }
        }
        if (next >= read.end()) {
            atEnd();
        } else if (read.messages().isEmpty()) {
            Thread.sleep(PAUSE_MS);
        }
    }

    private Optional<Place> held() {
        if (fed || state.position() >= 0) {
            return state.position() < 0 ? Optional.empty() : Optional.of(new Place(state.era(), state.position(), state.crc()));
        }
        return Optional.ofNullable(spare).map(from -> new Place(from.era(), from.cover(), from.crc()));
    }

    private LogSnapshot snapshotHeld() {
        return fed || state.position() >= 0 || spare == null ? state.snapshot() : spare;
    }

    private enum Tail { INTACT, AGED, SHORT, FORKED }

    /** Finds out where to go on, after the start and after every failure. */
    private void begin() throws IOException, InterruptedException {
        boolean created = topic.ensure();
        RocketMq.Range range = topic.range();
        if (!opening.isDone()) {
            target = range.max();
        }
        if (!limited) {
            limit();
        }
        Optional<Place> held = held();
        if (held.isEmpty()) {
            beginAnew(range);
            return;
        }
        Tail tail = tail(held.get(), range);
        if (tail != Tail.SHORT) {
            isShort = false;
        }
        switch (tail) {
            case INTACT -> {
                if (!fed && spare != null) {
                    state.jump(spare);
                    spare = null;
                }
                adoptHint(range, held.get().era());
                next = held.get().offset() + 1;
                mode = Mode.FOLLOW;
            }
            case AGED -> {
                LOG.warn("topic '{}': messages from offset {} on were deleted before they were read; going on from a snapshot", topic.name(),
                    held.get().offset() + 1);
                search(range);
            }
            case SHORT -> tooShort(held.get(), range, created);
            case FORKED -> {
                if (fed) {
                    contest(range.min(), "the message at offset " + held.get().offset() + " is not the one that was there");
                } else {
                    LOG.warn("topic '{}': it has gone on differently from the local checkpoint; the checkpoint is not used", topic.name());
                    beginAnew(range);
                }
            }
        }
    }

    private void limit() {
        try {
            LogTopic.Limits limits = topic.limits();
            writer.limit(limits.maxMessageBytes());
            duty.retention(limits.retention());
        } catch (RocketMqException e) {
            if (e.isRetriable()) {
                throw e;
            }
            LOG.info("topic '{}': taking the broker to have its default limits: {}", topic.name(), e.getMessage());
        }
        limited = true;
    }

    private void tooShort(Place held, RocketMq.Range range, boolean created) throws IOException, InterruptedException {
        String what = "the queue ends at offset " + range.max() + ", before offset " + (held.offset() + 1) + " where reading is to go on";
        if (!isShort) {
            isShort = true;
            shortSinceNanos = System.nanoTime();
        }
        disconnected(what);
        boolean anew = created || range.max() == 0;
        boolean others = last(range).filter(header -> header.era() > held.era().number()).isPresent();
        if (anew || others || System.nanoTime() - shortSinceNanos > settings.patience().toNanos()) {
            isShort = false;
            contest(range.min(), anew ? "the topic was deleted" : what);
        } else {
            Thread.sleep(PAUSE_MS);
        }
    }

    private Tail tail(Place place, RocketMq.Range range) throws InterruptedException {
        long offset = place.offset();
        if (offset + 1 > range.max()) {
            return Tail.SHORT;
        }
        if (offset < range.min()) {
            // With the first message that is left the next one's era is seen.
            return offset + 1 < range.min() ? Tail.AGED : Tail.INTACT;
        }
        LogTopic.Read read = topic.read(offset, Duration.ZERO);
        if (read.messages().isEmpty() || read.messages().get(0).offset() != offset) {
            throw new RocketMqException("the message at offset " + offset + " of topic '" + topic.name() + "' cannot be read now", true, null);
        }
        return LogFrame.crc(read.messages().get(0).body()) == place.crc() ? Tail.INTACT : Tail.FORKED;
    }

    /** Without anything that could be gone on from. */
    private void beginAnew(RocketMq.Range range) throws IOException, InterruptedException {
        if (range.min() == range.max() && range.max() > 0) {
            throw gone(range);
        }
        if (range.max() > 0 && (range.min() > 0 || hintAt(range).isPresent())) {
            search(range);
        } else {
            next = 0;
            mode = Mode.FOLLOW;
        }
    }

    private IOException gone(RocketMq.Range range) {
        return new IOException("cannot be read: topic '" + topic.name() + "' begins with offset " + range.min() + " and has no complete snapshot of"
            + " what was before. Start a worker that has a checkpoint of it, or put the file 'checkpoint' of any worker into " + settings.folder()
            + "; if nothing in it is needed, delete the topic");
    }

    /** What the last message says of itself. */
    private Optional<LogFrame.Header> last(RocketMq.Range range) throws IOException, InterruptedException {
        if (range.max() == range.min()) {
            return Optional.empty();
        }
        LogTopic.Read read = topic.read(range.max() - 1, Duration.ZERO);
        return read.messages().isEmpty() ? Optional.empty() : LogFrame.read(read.messages().get(0).body()).map(LogFrame::header);
    }

    private Optional<LogFrame.Header> hintAt(RocketMq.Range range) throws IOException, InterruptedException {
        return last(range).filter(header -> header.hint() >= range.min() && header.hint() < range.max());
    }

    private void adoptHint(RocketMq.Range range, Era era) throws IOException, InterruptedException {
        Optional<LogFrame.Header> header = hintAt(range).filter(found -> found.eraId().equals(era.id()));
        if (header.isPresent() && duty.hint() < 0) {
            LogTopic.Read read = topic.read(header.get().hint(), Duration.ZERO);
            if (!read.messages().isEmpty()) {
                duty.snapshotAt(header.get().hint(), read.messages().get(0).storedAt());
            }
        }
    }

    private void search(RocketMq.Range range) throws IOException, InterruptedException {
        Optional<LogFrame.Header> hint = hintAt(range);
        searchedAll = hint.isEmpty();
        next = hint.map(LogFrame.Header::hint).orElse(range.min());
        parts.clear();
        mode = Mode.SEARCH;
    }

    private void contest(long from, String why) {
        LOG.warn("topic '{}': {}; the workers agree on what to go on with", topic.name(), why);
        disconnected("the topic has lost what was in it (" + why + "), and the workers are about to fill it again");
        next = from;
        parts.clear();
        contest.reset();
        mode = Mode.CONTEST;
    }

    private void take(Message message) throws IOException {
        Optional<LogFrame> frame = LogFrame.read(message.body());
        if (frame.isEmpty() && mode == Mode.FOLLOW) {
            LOG.warn("topic '{}': the message at offset {} is not one of a store and is left out", topic.name(), message.offset());
        }
        if (mode == Mode.FOLLOW) {
            follow(message, frame);
        } else if (frame.isPresent() && frame.get() instanceof LogFrame.Part part) {
            Optional<Snapshot> complete = parts.add(part, message.offset(), message.storedAt(), true);
            if (complete.isPresent() && !part.candidate()) {
                arrive(complete.get());
            }
        } else if (frame.isPresent() && frame.get() instanceof LogFrame.Open open) {
            open(open, message);
        }
    }

    private void follow(Message message, Optional<LogFrame> frame) throws IOException {
        long position = state.era().position(message.offset());
        Era era = state.era();
        boolean mine = false;
        boolean contested = false;
        if (frame.isPresent() && frame.get() instanceof LogFrame.Append append) {
            mine = append.header().writer().equals(writer.id()) && append.header().eraId().equals(era.id());
            state.apply(append, position, message.storedAt());
        } else if (frame.isPresent() && frame.get() instanceof LogFrame.Part part) {
            boolean higher = part.candidate() && part.header().era() > era.number();
            if (higher || !part.candidate() && part.header().eraId().equals(era.id())) {
                Optional<Snapshot> complete = parts.add(part, message.offset(), message.storedAt(), higher);
                contested = higher;
                if (complete.isPresent() && !higher) {
                    duty.snapshotAt(complete.get().offset(), complete.get().storedAt());
                    parts.remove(complete.get());
                    writer.snapshotRead();
                    linked();
                }
            }
        } else if (frame.isPresent() && frame.get() instanceof LogFrame.Open open && open(open, message)) {
            return;
        }
        state.advance(position, LogFrame.crc(message.body()), message.storedAt());
        duty.read(message);
        if (mine) {
            IOException failure = applyFailure;
            applyFailure = null;
            writer.readBack(frame.get().header().sequence(), position, failure);
        }
        if (contested) {
            // The parts that were read are kept.
            disconnected("another worker found that the topic has lost what was in it, and the workers are about to fill it again");
            contest.reset();
            mode = Mode.CONTEST;
        }
    }

    /** A complete snapshot was found while looking for one. */
    private void arrive(Snapshot found) throws IOException {
        boolean later = found.header().era() > state.era().number();
        boolean same = found.header().eraId().equals(state.era().id()) && found.cover() >= state.position();
        if (mode == Mode.CONTEST && !later || mode == Mode.SEARCH && !later && !same) {
            parts.remove(found);
            return;
        }
        LogSnapshot snapshot = found.decode();
        if (snapshot.era().offset(snapshot.cover()) + 1 < topic.range().min()) {
            // What came between it and the oldest message is gone.
            parts.remove(found);
            return;
        }
        parts.clear();
        if (fed && later && state.position() >= snapshot.era().start()) {
            diverged(snapshot.era());
            return;
        }
        state.jump(snapshot);
        writer.jumped(state.sequenceOf(writer.id()), snapshot.cover(), later);
        duty.snapshotAt(found.offset(), found.storedAt());
        next = snapshot.era().offset(snapshot.cover()) + 1;
        mode = Mode.FOLLOW;
    }

    /** @return true if a new era has begun */
    private boolean open(LogFrame.Open open, Message message) throws IOException {
        Optional<Snapshot> candidate = parts.candidate(open.candidate());
        if (candidate.isEmpty() || open.header().era() <= state.era().number()) {
            return false;
        }
        LogSnapshot snapshot = candidate.get().decode();
        Era era = Era.after(snapshot.cover(), candidate.get().header().era(), candidate.get().id(), message.offset());
        if (fed && state.position() > snapshot.cover()) {
            diverged(era);
            return true;
        }
        state.jump(snapshot);
        state.begin(era);
        state.advance(era.start(), LogFrame.crc(message.body()), message.storedAt());
        writer.jumped(state.sequenceOf(writer.id()), snapshot.cover(), true);
        duty.snapshotAt(candidate.get().offset(), candidate.get().storedAt());
        parts.clear();
        next = message.offset() + 1;
        mode = Mode.FOLLOW;
        LOG.info("topic '{}': going on with {} entries up to position {}, as era {}", topic.name(), snapshot.entries().size(), snapshot.cover(), era.number());
        return true;
    }

    private void diverged(Era era) {
        String what = "while this worker was cut off, the others went on from position " + (era.start() - 1) + ", before position " + state.position()
            + " which it had read; restart this worker, which then adds what is missing";
        LOG.error("topic '{}': {}", topic.name(), what);
        mode = Mode.DIVERGED;
        disconnected(what);
        save(state.snapshot());
    }

    private void atEnd() throws IOException, InterruptedException {
        switch (mode) {
            case FOLLOW -> {
                if (opening.isDone() || next >= target) {
                    if (!opening.isDone()) {
                        writer.open();
                    }
                    linked();
                    if (!opening.isDone()) {
                        opened();
                    }
                    duty.due().ifPresent(wanted -> {
                        if (!writer.busyWithSnapshot()) {
                            writer.snapshot(wanted);
                        }
                    });
                    duty.checkpoint().ifPresent(wanted -> writer.checkpoint(() -> save(wanted)));
                }
            }
            case SEARCH -> notFound();
            case CONTEST -> contestNow();
            default -> Thread.sleep(PAUSE_MS);
        }
    }

    private void opened() {
        if (spare != null && spare.era().number() < state.era().number() && spare.cover() >= state.era().start()) {
            writer.restore(state.missing(spare));
        }
        spare = null;
        opening.complete(null);
    }

    private void notFound() throws IOException {
        RocketMq.Range range = topic.range();
        if (!searchedAll) {
            searchedAll = true;
            parts.clear();
            if (range.min() == 0 && !fed) {
                next = 0;
                mode = Mode.FOLLOW;
            } else {
                next = range.min();
            }
        } else if (held().isPresent()) {
            contest(range.min(), "it has no complete snapshot");
        } else if (parts.highestEra() > 0) {
            mode = Mode.CONTEST;
        } else {
            throw gone(range);
        }
    }

    private void contestNow() throws IOException, InterruptedException {
        Optional<Place> held = held();
        long era = held.map(place -> place.era().number()).orElse(-1L);
        switch (contest.turn(era, held.map(Place::position).orElse(-1L))) {
            case PUBLISH -> {
                if (parts.best(era).isEmpty() && tail(held.get(), topic.range()) == Tail.INTACT) {
                    LOG.info("topic '{}': what was in it is there again", topic.name());
                    mode = Mode.BEGIN;
                } else {
                    contest.publish(snapshotHeld(), writer.maxAppendBytes());
                }
            }
            case OPEN -> contest.open(era);
            default -> Thread.sleep(PAUSE_MS);
        }
    }

    private void save(LogSnapshot snapshot) {
        if (checkpoint.isEmpty() || snapshot.cover() < 0) {
            return;
        }
        try {
            checkpoint.get().write(snapshot);
        } catch (IOException e) {
            LOG.warn("the checkpoint {} cannot be written; the next start reads more from topic '{}': {}", checkpoint.get().file(), topic.name(),
                e.toString());
        }
    }
}
