package io.sluice.core.rocketmq.testing;

import com.sun.management.OperatingSystemMXBean;
import io.sluice.core.rocketmq.QueueReader;
import io.sluice.core.rocketmq.RecordSender;
import io.sluice.core.rocketmq.RemotingRocketMq;
import io.sluice.core.rocketmq.RocketMq;
import io.sluice.core.rocketmq.RocketMqException;
import io.sluice.core.rocketmq.WireFormat;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Compares {@link RecordSender} and {@link QueueReader} with RocketMQ's own client doing the same: batches of 256 with 8 in flight over 4
 * queues, and a lite pull consumer. Run it with the module's test class path; arguments: record size in bytes, number of records, rounds.
 * The runs alternate, so that a busy machine hits both sides alike; medians are compared, and the processor time that a record costs, which
 * a busy machine changes least.
 */
final class DataPlaneBenchmark {

    private static final int QUEUES = 4;
    private static final int BATCH = 256;

    private final TestBroker broker;
    private final RocketMq rocketMq;
    private final int size;
    private final int records;

    private DataPlaneBenchmark(TestBroker broker, RocketMq rocketMq, int size, int records) {
        this.broker = broker;
        this.rocketMq = rocketMq;
        this.size = size;
        this.records = records;
    }

    private interface Run {
        void run(String topic) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 100;
        int records = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        String[] settings = Arrays.copyOfRange(args, Math.min(args.length, 3), args.length);
        List<String> all = new ArrayList<>(List.of("mappedFileSizeCommitLog=1073741824", "sendThreadPoolQueueCapacity=100000"));
        all.addAll(List.of(settings));
        try (TestBroker broker = TestBroker.start(all.toArray(String[]::new));
             RemotingRocketMq rocketMq = RemotingRocketMq.open(new RemotingRocketMq.Settings(broker.namesrvAddr(), "benchmark"))) {
            DataPlaneBenchmark benchmark = new DataPlaneBenchmark(broker, rocketMq, size, records);
            benchmark.compare(rounds);
        }
        System.exit(0);
    }

    private void compare(int rounds) throws Exception {
        String[] names = {"raw send", "sender", "sender+wire", "raw read", "reader", "reader+wire"};
        Map<String, List<Double>> figures = new HashMap<>();
        for (int round = -1; round < rounds; round++) {
            String raw = "raw-" + (round + 1);
            String own = "own-" + (round + 1);
            String wire = "wire-" + (round + 1);
            Run[] runs = {this::rawSend, topic -> send(topic, false), topic -> send(topic, true), this::rawRead, topic -> read(topic, false),
                topic -> read(topic, true)};
            for (String topic : List.of(raw, own, wire)) {
                rocketMq.ensureTopic(topic, QUEUES);
            }
            for (int i = 0; i < runs.length; i++) {
                long began = System.nanoTime();
                long cpu = cpuNanos();
                long brokerCpu = broker.cpuNanos();
                String used = List.of(raw, own, wire, own, own, wire).get(i);
                runs[i].run(used);
                double perSecond = records / ((System.nanoTime() - began) / 1e9);
                double client = (cpuNanos() - cpu) / 1e3 / records;
                settle(used);
                double brokers = (broker.cpuNanos() - brokerCpu) / 1e3 / records;
                System.out.printf(Locale.ROOT, "%s%-12s %,12.0f /s  cpu %.2f us here, %.2f us in the broker%n", round < 0 ? "(warm-up) " : "",
                    names[i], perSecond, client, brokers);
                if (round >= 0) {
                    figures.computeIfAbsent(names[i], unused -> new ArrayList<>()).add(perSecond);
                    figures.computeIfAbsent(names[i] + " cpu", unused -> new ArrayList<>()).add(client);
                    figures.computeIfAbsent(names[i] + " broker", unused -> new ArrayList<>()).add(brokers);
                }
            }
        }
        System.out.printf(Locale.ROOT, "%d B, medians of %d rounds of %,d records%n", size, rounds, records);
        for (String name : names) {
            System.out.printf(Locale.ROOT, "%-12s %,12.0f /s, %.2f of raw; CPU for each record %.2f us here, %.2f us in the broker%n", name,
                median(figures.get(name)), median(figures.get(name)) / median(figures.get(name.contains("send") ? "raw send" : "raw read")),
                median(figures.get(name + " cpu")), median(figures.get(name + " broker")));
        }
    }

    /** Waits until the broker has done what it does with messages after it has acknowledged them; they cannot be read before that. */
    private void settle(String topic) throws InterruptedException {
        long last = -1;
        for (int same = 0; same < 5; Thread.sleep(200)) {
            long end = rocketMq.queues(topic).stream().mapToLong(queue -> rocketMq.range(queue).max()).sum();
            same = end == last ? same + 1 : 0;
            last = end;
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static double median(List<Double> figures) {
        return figures.stream().sorted().toList().get(figures.size() / 2);
    }

    private void rawSend(String topic) throws Exception {
        DefaultMQProducer producer = new DefaultMQProducer("raw");
        producer.setNamesrvAddr(broker.namesrvAddr());
        producer.setInstanceName("raw-" + topic);
        producer.start();
        try {
            List<MessageQueue> queues = producer.fetchPublishMessageQueues(topic);
            Semaphore inFlight = new Semaphore(8);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            for (int i = 0, turn = 0; i < records; i += BATCH, turn++) {
                List<Message> batch = new ArrayList<>(BATCH);
                for (int j = i; j < Math.min(records, i + BATCH); j++) {
                    batch.add(new Message(topic, body(j)));
                }
                inFlight.acquire();
                producer.send(batch, queues.get(turn % queues.size()), new SendCallback() {
                    @Override
                    public void onSuccess(SendResult result) {
                        inFlight.release();
                    }

                    @Override
                    public void onException(Throwable e) {
                        failure.set(e);
                        inFlight.release();
                    }
                });
            }
            inFlight.acquire(8);
            if (failure.get() != null) {
                System.out.println("raw send lost a batch: " + failure.get().getMessage());
            }
        } finally {
            producer.shutdown();
        }
    }

    private void send(String topic, boolean wire) throws Exception {
        AtomicLong acknowledged = new AtomicLong();
        try (RecordSender sender = rocketMq.sender("benchmark",
            new RocketMq.SenderSettings(256 << 10, 2_000, Duration.ZERO, 16 << 20, QUEUES))) {
            RecordSender.Listener listener = new RecordSender.Listener() {
                @Override
                public void acknowledged(MessageQueue queue, long queueOffset) {
                    acknowledged.incrementAndGet();
                }

                @Override
                public void refused(RocketMqException reason) {
                    throw reason;
                }
            };
            for (int i = 0; i < records; i++) {
                while (!sender.awaitCapacity(Duration.ofSeconds(10))) {
                    System.out.println("no capacity: " + sender.trouble());
                }
                Message message = wire
                    ? WireFormat.DEFAULT.encode(topic, Integer.toString(i).getBytes(), body(i), 1_700_000_000_000L + i, null)
                    : new Message(topic, body(i));
                sender.send(message, i, listener);
            }
            if (!sender.flush(Duration.ofSeconds(60)) || acknowledged.get() != records) {
                throw new IllegalStateException(acknowledged.get() + " of " + records + " acknowledged");
            }
        }
    }

    private byte[] body(int i) {
        byte[] body = new byte[size];
        body[0] = (byte) i;
        return body;
    }

    private void rawRead(String topic) throws Exception {
        DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("raw-" + topic);
        consumer.setNamesrvAddr(broker.namesrvAddr());
        consumer.setInstanceName("raw-read-" + topic);
        consumer.setPullBatchSize(1024);
        consumer.setAutoCommit(false);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.start();
        try {
            List<MessageQueue> queues = new ArrayList<>(consumer.fetchMessageQueues(topic));
            consumer.assign(queues);
            for (int read = 0; read < records;) {
                read += consumer.poll(1_000).size();
            }
        } finally {
            consumer.shutdown();
        }
    }

    private void read(String topic, boolean wire) throws Exception {
        try (QueueReader reader = rocketMq.reader("benchmark", "group-" + topic, new RocketMq.ReaderSettings(500, 16 << 20))) {
            Map<MessageQueue, Long> offsets = new HashMap<>();
            rocketMq.queues(topic).forEach(queue -> offsets.put(queue, 0L));
            reader.assign(offsets);
            for (int read = 0; read < records;) {
                List<MessageExt> messages = reader.poll(Duration.ofSeconds(1));
                if (wire) {
                    messages.forEach(message -> {
                        if (WireFormat.DEFAULT.decode(message).key() == null) {
                            throw new IllegalStateException("no key");
                        }
                    });
                }
                read += messages.size();
            }
        }
    }
}
