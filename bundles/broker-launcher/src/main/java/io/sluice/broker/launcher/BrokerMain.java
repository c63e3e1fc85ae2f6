package io.sluice.broker.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.net.BindException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Properties;

/**
 * Runs a name server and a broker in this JVM for the worker that started it.
 *
 * <p>The worker talks to it by its standard streams. Out go lines: {@code READY} when the broker is registered and its topics are listed,
 * {@code ERROR <text>} when it cannot be started, {@code LOG <level> <logger> <text>} for the rest. In comes nothing: the end of the input
 * says that the worker has ended, however it did, and then this JVM ends too.
 */
public final class BrokerMain {

    static final int EXIT_FAILED = 1;
    /** Another process has the data folder; it may be one that is just ending. */
    static final int EXIT_LOCKED = 3;
    private static final long STOP_MS = 8_000;

    private BrokerMain() {
    }

    /** @param args the path of a properties file with the {@link BrokerSettings} */
    public static void main(String[] args) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(args[0]))) {
            properties.load(reader);
        }
        BrokerSettings settings = BrokerSettings.of(properties);
        Files.createDirectories(settings.folder());
        FileChannel lockFile = FileChannel.open(settings.folder().resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = lockFile.tryLock();
        if (lock == null) {
            System.out.println("ERROR the broker's data folder " + settings.folder() + " is in use by another process");
            System.exit(EXIT_LOCKED);
        }
        RunningBroker broker = start(settings);
        endWithWorker(broker);
        System.out.println("READY");
    }

    private static RunningBroker start(BrokerSettings settings) {
        try {
            return RunningBroker.start(settings);
        } catch (Throwable e) {
            System.out.println("ERROR " + reason(e, settings));
            Runtime.getRuntime().halt(EXIT_FAILED);
            throw new AssertionError("unreachable", e);
        }
    }

    private static String reason(Throwable failure, BrokerSettings settings) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                return "port " + settings.namesrvPort() + ", " + settings.brokerPort() + ", " + (settings.brokerPort() - 2) + " or " + settings.haPort()
                    + " is taken; set 'namesrv.port' and 'broker.port' in etc/io.sluice.broker.cfg to free ones";
            }
        }
        return String.valueOf(failure).replace('\n', ' ');
    }

    private static void endWithWorker(RunningBroker broker) {
        Thread watch = new Thread(() -> {
            try {
                InputStream in = System.in;
                while (in.read() >= 0) {
                    // Whatever comes in means nothing; only the end counts.
                    continue;
                }
            } catch (IOException e) {
                System.out.println("LOG WARN " + BrokerMain.class.getName() + " cannot watch the worker: " + e);
            }
            stop(broker);
        }, "sluice-broker-watch");
        watch.start();
    }

    /** Stops within a bound. A message that was acknowledged is in the page cache at least, so it survives whatever happens here. */
    private static void stop(RunningBroker broker) {
        Thread stopper = new Thread(broker::stop, "sluice-broker-stop");
        stopper.setDaemon(true);
        stopper.start();
        try {
            stopper.join(STOP_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(0);
    }
}
