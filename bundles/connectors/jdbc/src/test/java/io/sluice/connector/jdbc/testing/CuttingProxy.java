package io.sluice.connector.jdbc.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands between a driver and its server, and cuts connections where a test wants that: above all behind a statement that the server has
 * carried out and whose answer the driver never gets.
 */
public final class CuttingProxy implements AutoCloseable {

    private final int serverPort;
    private final ServerSocket socket;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    /** The statement whose answer is kept back; empty for none. */
    private final AtomicReference<String> fatal = new AtomicReference<>("");
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile boolean refusing;

    public CuttingProxy(int serverPort) {
        this.serverPort = serverPort;
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("accept", this::accept);
    }

    public int port() {
        return socket.getLocalPort();
    }

    /** Cuts the connection that carries {@code statement} next, when the server has answered it. */
    public void cutBehind(String statement) {
        fatal.set(statement);
    }

    /** How often a connection was cut behind a statement. */
    public int cuts() {
        return cuts.get();
    }

    /** Cuts all connections, and each new one until {@link #restore}. */
    public void refuse() {
        refusing = true;
        open.forEach(CuttingProxy::close);
    }

    public void restore() {
        refusing = false;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                if (refusing) {
                    close(client);
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                open.add(server);
                AtomicReference<Boolean> doomed = new AtomicReference<>(false);
                start("up", () -> upwards(client, server, doomed));
                start("down", () -> downwards(server, client, doomed));
            } catch (IOException e) {
                // Closed, by the end of the test.
                return;
            }
        }
    }

    private void upwards(Socket client, Socket server, AtomicReference<Boolean> doomed) {
        copy(client, server, (buffer, length) -> {
            String statement = fatal.get();
            if (!statement.isEmpty() && new String(buffer, 0, length, StandardCharsets.ISO_8859_1).contains(statement) && fatal.compareAndSet(statement, "")) {
                doomed.set(true);
            }
            return true;
        });
    }

    private void downwards(Socket server, Socket client, AtomicReference<Boolean> doomed) {
        copy(server, client, (buffer, length) -> {
            if (doomed.get()) {
                cuts.incrementAndGet();
                return false;
            }
            return true;
        });
    }

    private interface Look {
        /** @return false to cut the connection here */
        boolean passes(byte[] buffer, int length);
    }

    private static void copy(Socket from, Socket to, Look look) {
        byte[] buffer = new byte[64 * 1024];
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int length = in.read(buffer);
            while (length >= 0 && look.passes(buffer, length)) {
                out.write(buffer, 0, length);
                length = in.read(buffer);
            }
        } catch (IOException e) {
            // One side is gone: so is the other, now.
            return;
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, "sluice-test-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(CuttingProxy::close);
    }
}
