package io.sluice.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Opens the worker's shell with Karaf's client, or carries out one command in it. The password gets from its file to the client inside this
 * process; on a command line everybody on the machine could read it.
 */
final class Shell {

    private static final int BANNER_MS = 10_000;

    private Shell() {
    }

    /** @param arguments {@code --batch} for commands from the standard input, else a command or nothing */
    static void run(Settings settings, List<String> arguments) throws Refusal {
        Endpoint shell = settings.shell();
        String password = settings.password();
        greet(shell);
        List<String> client = new ArrayList<>(List.of("-a", Integer.toString(shell.port()), "-h", address(shell), "-u", "admin", "-p", password));
        if (arguments.equals(List.of("--batch"))) {
            client.add("-b");
        } else if (!arguments.isEmpty()) {
            // Karaf's client takes the end of its input for the end of the session, before the answer has come.
            System.setIn(new SilentInput());
            client.add(String.join(" ", arguments));
        }
        try {
            org.apache.karaf.client.Main.main(client.toArray(String[]::new));
        } catch (Exception e) {
            throw new Refusal("the shell at " + shell.host() + ":" + shell.port() + " ended: " + e);
        }
    }

    private static String address(Endpoint shell) {
        return shell.host().equals("0.0.0.0") ? "127.0.0.1" : shell.host();
    }

    /** Fails within a bound if nobody speaks SSH there; Karaf's client would wait for ever. */
    private static void greet(Endpoint shell) throws Refusal {
        String where = address(shell) + ":" + shell.port();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address(shell), shell.port()), BANNER_MS);
            socket.setSoTimeout(BANNER_MS);
            byte[] banner = socket.getInputStream().readNBytes(4);
            if (banner.length < 4 || banner[0] != 'S' || banner[1] != 'S' || banner[2] != 'H') {
                throw new Refusal("what listens on " + where + " is no shell; see '" + shell.key() + "' in " + shell.file());
            }
        } catch (IOException e) {
            throw new Refusal("no shell on " + where + " (" + e.getMessage() + "); does Sluice run? See bin/sluice status");
        }
    }

    /** An input on which nothing ever comes. */
    private static final class SilentInput extends InputStream {

        private final CountDownLatch never = new CountDownLatch(1);

        @Override
        public int read() throws IOException {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return -1;
        }
    }
}
