package io.sluice.broker.launcher;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.MQVersion;
import org.apache.rocketmq.common.namesrv.NamesrvConfig;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.namesrv.NamesrvController;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/** A name server and a broker that run in this JVM. Settings that differ from RocketMQ's own defaults are there to be small and to stay on this machine. */
final class RunningBroker {

    private static final String LOOPBACK = "127.0.0.1";
    private static final long READY_MS = 60_000;
    private static final long POLL_MS = 20;
    private static final long PUBLISH_MS = 100;
    private static final long WAKE_MS = 50;
    private static final List<String> SLEEPERS = List.of("NettyEventExecutor", "Pop", "QueueLockManager", "Lite", "Transactional", "ColdData", "BroadcastOffsetManager",
        "PullRequestHold", "TopicQueueMappingClean");
    private static final int PULL_MESSAGES = 1_024;
    private static final int PULL_BYTES = 2 << 20;

    private final NamesrvController namesrv;
    private final BrokerController broker;

    private RunningBroker(NamesrvController namesrv, BrokerController broker) {
        this.namesrv = namesrv;
        this.broker = broker;
    }

    /** Starts both; returns when the broker is registered at the name server with its topics. */
    static RunningBroker start(BrokerSettings settings) throws Exception {
        // Without this the name server takes the broker for an ancient one and stores none of its topics.
        System.setProperty(RemotingCommand.REMOTING_VERSION_KEY, Integer.toString(MQVersion.CURRENT_VERSION));
        // Nobody but this machine can connect. Otherwise every server makes a key pair and a certificate at its start.
        System.setProperty("tls.server.mode", "disabled");
        System.setProperty("rocketmq.home.dir", settings.folder().toString());
        NamesrvController namesrv = namesrv(settings);
        BrokerController broker = broker(settings);
        RunningBroker running = new RunningBroker(namesrv, broker);
        running.awaitRegistered();
        running.publishTopics();
        return running;
    }

    /**
     * Tells the name server of a new topic at once. The broker's own way of doing so fails now and then, and is mended by its next regular
     * registration, for which nobody wants to wait.
     */
    private void publishTopics() {
        Thread publisher = new Thread(() -> {
            long published = -1;
            try {
                while (true) {
                    long version = broker.getTopicConfigManager().getDataVersion().getCounter().get();
                    if (version != published) {
                        broker.registerBrokerAll(true, false, true);
                        published = version;
                    }
                    Thread.sleep(PUBLISH_MS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "sluice-broker-topics");
        publisher.setDaemon(true);
        publisher.start();
    }

    private static NamesrvController namesrv(BrokerSettings settings) throws Exception {
        NamesrvConfig config = new NamesrvConfig();
        config.setRocketmqHome(settings.folder().toString());
        config.setKvConfigPath(settings.folder().resolve("namesrv/kvConfig.json").toString());
        config.setConfigStorePath(settings.folder().resolve("namesrv/namesrv.properties").toString());
        // The usual 45 s of waiting for other brokers make no sense with one.
        config.setNeedWaitForService(false);
        config.setClientRequestThreadPoolNums(2);
        config.setDefaultThreadPoolNums(2);
        NettyServerConfig server = server(settings.namesrvPort());
        NamesrvController namesrv = new NamesrvController(config, server, new NettyClientConfig());
        if (!namesrv.initialize()) {
            throw new IllegalStateException("the name server could not be initialised");
        }
        namesrv.start();
        return namesrv;
    }

    private static NettyServerConfig server(int port) {
        NettyServerConfig server = new NettyServerConfig();
        server.setListenPort(port);
        server.setBindAddress(LOOPBACK);
        server.setServerWorkerThreads(2);
        server.setServerSelectorThreads(2);
        server.setServerCallbackExecutorThreads(2);
        return server;
    }

    private static BrokerController broker(BrokerSettings settings) throws Exception {
        BrokerConfig config = new BrokerConfig();
        config.setBrokerClusterName("sluice-embedded");
        config.setBrokerName("embedded");
        config.setBrokerIP1(LOOPBACK);
        config.setBrokerIP2(LOOPBACK);
        config.setNamesrvAddr(LOOPBACK + ":" + settings.namesrvPort());
        config.setRocketmqHome(settings.folder().toString());
        // Topics are created with the number of queues that somebody wants, not by the first message.
        config.setAutoCreateTopicEnable(false);
        config.setAutoCreateSubscriptionGroup(true);
        config.setRegisterNameServerPeriod(10_000);
        config.setWaitTimeMillsInSendQueue(10_000);
        config.setTransferMsgByHeap(true);
        config.setSendMessageThreadPoolNums(2);
        config.setPutMessageFutureThreadPoolNums(1);
        config.setPullMessageThreadPoolNums(2);
        config.setLitePullMessageThreadPoolNums(1);
        config.setAckMessageThreadPoolNums(1);
        config.setProcessReplyMessageThreadPoolNums(1);
        config.setQueryMessageThreadPoolNums(1);
        config.setAdminBrokerThreadPoolNums(2);
        config.setClientManageThreadPoolNums(1);
        config.setConsumerManageThreadPoolNums(1);
        config.setHeartbeatThreadPoolNums(1);
        config.setEndTransactionThreadPoolNums(1);
        config.setRecoverThreadPoolNums(2);
        // Nobody pops messages here; each of the usual eight queues for what was popped has a thread that takes a second to stop.
        config.setReviveQueueNum(1);
        MessageStoreConfig store = new MessageStoreConfig();
        Path data = settings.folder().resolve("store");
        Files.createDirectories(data);
        store.setStorePathRootDir(data.toString());
        store.setStorePathCommitLog(data.resolve("commitlog").toString());
        store.setMappedFileSizeCommitLog(settings.fileBytes());
        store.setMappedFileSizeConsumeQueue(20 * 20_000);
        store.setMappedFileSizeTimerLog(1 << 20);
        store.setMaxHashSlotNum(5_000);
        store.setMaxIndexNum(20_000);
        store.setFileReservedTime(settings.retentionHours());
        store.setDiskMaxUsedSpaceRatio(95);
        store.setHaListenPort(settings.haPort());
        store.setMaxTransferCountOnMessageInMemory(PULL_MESSAGES);
        store.setMaxTransferBytesOnMessageInMemory(PULL_BYTES);
        store.setMaxTransferCountOnMessageInDisk(PULL_MESSAGES);
        store.setMaxTransferBytesOnMessageInDisk(PULL_BYTES);
        store.setWarmMapedFileEnable(false);
        BrokerController broker = new BrokerController(config, server(settings.brokerPort()), new NettyClientConfig(), store);
        if (!broker.initialize()) {
            throw new IllegalStateException("the broker could not be initialised from " + data);
        }
        broker.start();
        return broker;
    }

    private void awaitRegistered() throws InterruptedException {
        long deadline = System.nanoTime() + READY_MS * 1_000_000;
        while (!isRegistered()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the broker did not register at its name server within " + READY_MS / 1_000 + " s");
            }
            broker.registerBrokerAll(true, false, true);
            Thread.sleep(POLL_MS);
        }
    }

    private boolean isRegistered() {
        String topics = new String(namesrv.getRouteInfoManager().getAllTopicList().encode(), StandardCharsets.UTF_8);
        return topics.contains("\"" + TopicValidator.RMQ_SYS_SELF_TEST_TOPIC + "\"")
            && namesrv.getRouteInfoManager().getAllClusterInfo().getBrokerAddrTable().containsKey("embedded");
    }

    void stop() {
        StreamLogging.stopping();
        AtomicBoolean stopped = new AtomicBoolean();
        Thread waker = new Thread(() -> wakeSleepers(stopped), "sluice-broker-waker");
        waker.setDaemon(true);
        waker.start();
        broker.shutdown();
        namesrv.shutdown();
        stopped.set(true);
    }

    /**
     * RocketMQ stops its services one after the other and waits for each; those for network events, popped messages, lite topics and
     * transactions sleep for seconds at a time. None of them has anything to do any more, so they are woken. The store's services are left alone.
     */
    private static void wakeSleepers(AtomicBoolean stopped) {
        while (!stopped.get()) {
            Thread.getAllStackTraces().keySet().stream().filter(thread -> SLEEPERS.stream().anyMatch(thread.getName()::startsWith))
                .forEach(Thread::interrupt);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(WAKE_MS));
        }
    }
}
