package io.sluice.core.rocketmq.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.MQVersion;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.namesrv.NamesrvConfig;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.namesrv.NamesrvController;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/**
 * A name server and a broker in this JVM, until standard input ends. Arguments: data folder, port of the name server, port of the broker,
 * the broker's name, and settings as {@code name=value}, given to whichever part of the broker knows the name. Says {@code READY} when
 * the broker is registered.
 */
final class BrokerMain {

    static final String READY = "READY";

    private BrokerMain() {
    }

    public static void main(String[] args) throws Exception {
        // Without it the name server does not take the topics that a broker registers.
        System.setProperty(RemotingCommand.REMOTING_VERSION_KEY, Integer.toString(MQVersion.CURRENT_VERSION));
        Path data = Path.of(args[0]);
        int namesrvPort = Integer.parseInt(args[1]);
        int brokerPort = Integer.parseInt(args[2]);
        String name = args[3];
        Properties settings = new Properties();
        for (int i = 4; i < args.length; i++) {
            int at = args[i].indexOf('=');
            settings.setProperty(args[i].substring(0, at), args[i].substring(at + 1));
        }
        endWithParent();
        NamesrvController namesrv = nameServer(data, namesrvPort);
        BrokerController broker = broker(data, namesrvPort, brokerPort, name, settings);
        while (!registered(namesrv, name)) {
            Thread.sleep(20);
        }
        System.out.println(READY);
        System.out.flush();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            broker.shutdown();
            namesrv.shutdown();
        }));
    }

    /** Whoever started this JVM holds the other end of standard input; when it is gone, however it went, so is this JVM. */
    private static void endWithParent() {
        Thread thread = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    Thread.onSpinWait();
                }
            } catch (IOException e) {
                // The pipe is broken, which says the same as its end.
            }
            Runtime.getRuntime().halt(0);
        }, "sluice-test-broker-parent");
        thread.setDaemon(true);
        thread.start();
    }

    private static NamesrvController nameServer(Path data, int port) throws Exception {
        NamesrvConfig config = new NamesrvConfig();
        config.setRocketmqHome(data.toString());
        config.setKvConfigPath(data.resolve("kvConfig.json").toString());
        config.setConfigStorePath(data.resolve("namesrv.properties").toString());
        NettyServerConfig server = new NettyServerConfig();
        server.setBindAddress("127.0.0.1");
        server.setListenPort(port);
        NamesrvController controller = new NamesrvController(config, server, new NettyClientConfig());
        if (!controller.initialize()) {
            throw new IllegalStateException("the name server did not start");
        }
        controller.start();
        return controller;
    }

    private static BrokerController broker(Path data, int namesrvPort, int port, String name, Properties settings) throws Exception {
        BrokerConfig config = new BrokerConfig();
        config.setRocketmqHome(data.toString());
        config.setBrokerName(name);
        config.setBrokerClusterName("test");
        config.setBrokerIP1("127.0.0.1");
        config.setNamesrvAddr("127.0.0.1:" + namesrvPort);
        config.setAutoCreateTopicEnable(false);
        NettyServerConfig server = new NettyServerConfig();
        server.setBindAddress("127.0.0.1");
        server.setListenPort(port);
        MessageStoreConfig store = new MessageStoreConfig();
        Path root = Files.createDirectories(data.resolve(name));
        store.setStorePathRootDir(root.toString());
        store.setStorePathCommitLog(root.resolve("commitlog").toString());
        store.setMappedFileSizeCommitLog(64 << 20);
        store.setMappedFileSizeTimerLog(1 << 20);
        store.setMaxHashSlotNum(10_000);
        store.setMaxIndexNum(40_000);
        store.setHaListenPort(port + 1);
        store.setDiskMaxUsedSpaceRatio(95);
        MixAll.properties2Object(settings, config);
        MixAll.properties2Object(settings, store);
        BrokerController controller = new BrokerController(config, server, new NettyClientConfig(), store);
        if (!controller.initialize()) {
            throw new IllegalStateException("the broker did not start");
        }
        controller.start();
        return controller;
    }

    private static boolean registered(NamesrvController namesrv, String name) {
        return namesrv.getRouteInfoManager().getAllClusterInfo().getBrokerAddrTable().containsKey(name)
            && namesrv.getRouteInfoManager().getAllTopicList().getTopicList().contains(TopicValidator.RMQ_SYS_SELF_TEST_TOPIC);
    }
}
