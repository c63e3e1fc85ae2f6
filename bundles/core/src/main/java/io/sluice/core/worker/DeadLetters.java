package io.sluice.core.worker;

import io.sluice.core.rocketmq.RecordSender;
import io.sluice.core.rocketmq.RocketMq;
import io.sluice.core.rocketmq.RocketMqException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * The dead-letter queue of one sink task: takes messages as they were read, with their properties, and tells when they are safe. An
 * offset is committed only after the dead letters before it are.
 *
 * <p>The headers have the names that Kafka Connect gives them, which Apache RocketMQ Connect has taken over.
 */
final class DeadLetters implements AutoCloseable {

    private static final String PREFIX = "__connect.errors.";
    /** A stack trace is cut here, since all properties of a message share 32,767 bytes. */
    private static final int TRACE_LIMIT = 4_000;

    private final TaskSetup setup;
    private final String topic;
    private final boolean withContext;
    private final TaskFigures figures;
    private final RecordSender sender;
    private final AtomicReference<RocketMqException> refusal = new AtomicReference<>();

    DeadLetters(TaskSetup setup, String topic, boolean withContext, RocketMq rocketMq, TaskFigures figures) {
        this.setup = setup;
        this.topic = topic;
        this.withContext = withContext;
        this.figures = figures;
        rocketMq.ensureTopic(topic, 1);
        this.sender = rocketMq.sender("task " + setup.name() + " (dead letters)",
            new RocketMq.SenderSettings(262_144, 256, Duration.ZERO, 4_194_304, 1));
    }

    /** Sends a copy of {@code message}. @return completed when the broker has it */
    CompletableFuture<Void> send(MessageExt message, Stage stage, Throwable cause) {
        Message letter = new Message(topic, message.getBody());
        message.getProperties().forEach((name, value) -> {
            if (!MessageConst.STRING_HASH_SET.contains(name)) {
                letter.putUserProperty(name, value);
            }
        });
        if (message.getKeys() != null) {
            letter.setKeys(message.getKeys());
        }
        if (withContext) {
            context(message, stage, cause).forEach((name, value) -> letter.putUserProperty("connect-ext-" + PREFIX + name, printable(value)));
        }
        CompletableFuture<Void> safe = new CompletableFuture<>();
        sender.send(letter, Long.hashCode(message.getQueueOffset()), new RecordSender.Listener() {
            @Override
            public void acknowledged(MessageQueue queue, long queueOffset) {
                figures.recordsDeadLettered.increment();
                safe.complete(null);
            }

            @Override
            public void refused(RocketMqException reason) {
                refusal.compareAndSet(null, reason);
                safe.completeExceptionally(reason);
            }
        });
        return safe;
    }

    private Map<String, String> context(MessageExt message, Stage stage, Throwable cause) {
        StringWriter trace = new StringWriter();
        cause.printStackTrace(new PrintWriter(trace));
        String text = trace.toString();
        return Map.of(
            "topic", message.getTopic(),
            "partition", Integer.toString(message.getQueueId()),
            "offset", Long.toString(message.getQueueOffset()),
            "connector.name", setup.connector(),
            "task.id", Integer.toString(setup.id()),
            "stage", stage.name(),
            "class.name", setup.task().getClass().getName(),
            "exception.class.name", cause.getClass().getName(),
            "exception.message", String.valueOf(cause.getMessage()),
            "exception.stacktrace", text.length() <= TRACE_LIMIT ? text : text.substring(0, TRACE_LIMIT));
    }

    /** RocketMQ separates properties by control characters, so a value must not hold any. */
    private static String printable(String value) {
        StringBuilder text = new StringBuilder(value.length());
        value.chars().forEach(c -> text.append(Character.isISOControl(c) ? ' ' : (char) c));
        return text.toString();
    }

    /**
     * Waits until every dead letter is safe.
     *
     * @return false if some still are not when the time is over
     * @throws TaskFailure if the topic refused one: it would be lost
     */
    boolean flush(Duration timeout) throws InterruptedException, TaskFailure {
        boolean flushed = sender.flush(timeout);
        RocketMqException refused = refusal.get();
        if (refused != null) {
            throw new TaskFailure("the dead-letter queue '" + topic + "' refused a record: " + refused.getMessage(), refused);
        }
        return flushed;
    }

    Optional<String> trouble() {
        return sender.trouble().map(reason -> "dead-letter queue '" + topic + "': " + reason);
    }

    @Override
    public void close() {
        sender.close();
    }
}
