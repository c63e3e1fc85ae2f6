package io.sluice.core.rocketmq;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.impl.mqclient.DoNothingClientRemotingProcessor;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.InvokeCallback;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.exception.RemotingTimeoutException;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.ResponseFuture;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocketMQ's remoting client and where the brokers are: one set of network threads and one connection to each broker for all that the
 * worker does. It is used below RocketMQ's producers and consumers, as RocketMQ's own proxy uses it, since those bring threads and
 * retries of their own for each of them. Any thread.
 */
final class Connection implements AutoCloseable {

    /** How long a request that somebody waits for may take. */
    static final long CALL_MS = 5_000;
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final int BACKGROUND_THREADS = 4;
    /** So many requests in a row without any answer, and a connection is taken to be dead although nobody has closed it. */
    private static final int SILENT_REQUESTS = 3;

    /** Learns how a request ended. Exactly one of the two is called, on a thread of RocketMQ's; must not block. */
    interface Reply {

        void response(RemotingCommand response);

        void failure(Throwable why);
    }

    private final RemotingRocketMq.Settings settings;
    private final MQClientAPIImpl api;
    private final String clientId;
    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor background;
    private final Map<String, Map<Long, String>> brokers = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> unanswered = new ConcurrentHashMap<>();

    Connection(RemotingRocketMq.Settings settings) {
        this.settings = settings;
        ClientConfig config = new ClientConfig();
        config.setNamesrvAddr(settings.namesrvAddr());
        config.setInstanceName(settings.clientName());
        config.setVipChannelEnabled(false);
        this.clientId = config.buildMQClientId();
        NettyClientConfig network = new NettyClientConfig();
        network.setUseTLS(config.isUseTLS());
        network.setScanAvailableNameSrv(false);
        // A connection is shared by all tasks: one slow answer must not tear down what the others have under way.
        network.setClientCloseSocketIfTimeout(false);
        this.api = new MQClientAPIImpl(network, new DoNothingClientRemotingProcessor(null), null, config);
        api.updateNameServerAddressList(settings.namesrvAddr());
        this.timer = new ScheduledThreadPoolExecutor(1, threads("sluice-rocketmq-timer"));
        timer.setRemoveOnCancelPolicy(true);
        this.background = new ThreadPoolExecutor(BACKGROUND_THREADS, BACKGROUND_THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
            threads("sluice-rocketmq-background"));
        background.allowCoreThreadTimeOut(true);
        api.start();
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger count = new AtomicInteger();
        return action -> {
            Thread thread = new Thread(action, name + "-" + count.getAndIncrement());
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((where, e) -> LOG.error("{} ended", where.getName(), e));
            return thread;
        };
    }

    MQClientAPIImpl api() {
        return api;
    }

    /** How this client is called in RocketMQ's lists of connections. */
    String clientId() {
        return clientId;
    }

    String namesrvAddr() {
        return settings.namesrvAddr();
    }

    /** Makes a request and waits for its answer. @param what completes "cannot …" */
    static <T> T call(String what, Callable<T> request) {
        try {
            return request.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RocketMqException("cannot " + what + ": interrupted", true, e);
        } catch (Exception e) {
            throw Failures.of(what, e);
        }
    }

    /** Makes a request without waiting. */
    void invoke(String address, RemotingCommand request, long timeoutMs, Reply reply) {
        try {
            api.getRemotingClient().invokeAsync(address, request, timeoutMs, new InvokeCallback() {
                @Override
                public void operationComplete(ResponseFuture future) {
                    // The two below say the same.
                }

                @Override
                public void operationSucceed(RemotingCommand response) {
                    unanswered.remove(address);
                    try {
                        reply.response(response);
                    } catch (RuntimeException e) {
                        // RocketMQ would call the other one then.
                        LOG.error("an answer of {} was not understood: {}", address, response, e);
                        reply.failure(e);
                    }
                }

                @Override
                public void operationFail(Throwable why) {
                    if (why instanceof RemotingTimeoutException) {
                        silent(address);
                    }
                    reply.failure(why);
                }
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reply.failure(e);
        } catch (RemotingException | RuntimeException e) {
            reply.failure(e);
        }
    }

    /**
     * A broker that is gone without having closed its connection, behind a cut wire, would be waited for as long as TCP does, a quarter of
     * an hour.
     */
    private void silent(String address) {
        if (unanswered.computeIfAbsent(address, unused -> new AtomicInteger()).incrementAndGet() == SILENT_REQUESTS) {
            unanswered.remove(address);
            LOG.warn("{} has left {} requests in a row without an answer; connecting anew", address, SILENT_REQUESTS);
            soon(() -> api.getRemotingClient().closeChannels(List.of(address)));
        }
    }

    /** Takes in where brokers are. */
    void learn(Iterable<BrokerData> found) {
        for (BrokerData broker : found) {
            brokers.put(broker.getBrokerName(), Map.copyOf(broker.getBrokerAddrs()));
        }
    }

    /** Where to write to a queue, as far as is known. */
    Optional<String> master(MessageQueue queue) {
        return Optional.ofNullable(brokers.getOrDefault(queue.getBrokerName(), Map.of()).get(MixAll.MASTER_ID));
    }

    /** Where to read a queue: that member of its broker's set if it is there, otherwise any. */
    Optional<String> member(MessageQueue queue, long brokerId) {
        Map<Long, String> members = brokers.getOrDefault(queue.getBrokerName(), Map.of());
        String wanted = members.get(brokerId);
        return wanted != null ? Optional.of(wanted) : members.values().stream().findFirst();
    }

    /** The addresses of all brokers that are known. */
    List<String> addresses() {
        return brokers.values().stream().flatMap(members -> members.values().stream()).distinct().toList();
    }

    Map<String, Map<Long, String>> brokers() {
        return new HashMap<>(brokers);
    }

    /** For what may block. */
    Executor background() {
        return this::soon;
    }

    /** Runs what may block, on a thread of the background. */
    void soon(Runnable action) {
        try {
            background.execute(action);
        } catch (RejectedExecutionException e) {
            LOG.debug("the connection is closed, nothing is done any more");
        }
    }

    /** Runs what must not block, after a while. */
    void later(Runnable action, long delayMs) {
        try {
            timer.schedule(() -> {
                try {
                    action.run();
                } catch (RuntimeException e) {
                    LOG.error("a timed action failed", e);
                }
            }, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the connection is closed, nothing is done any more");
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        background.shutdownNow();
        api.shutdown();
        try {
            timer.awaitTermination(2, TimeUnit.SECONDS);
            background.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
