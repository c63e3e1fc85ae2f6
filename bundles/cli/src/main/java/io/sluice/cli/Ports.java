package io.sluice.cli;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;

/**
 * Finds out before a start whether the worker will get its ports. The embedded broker's are left out: a broker whose worker was killed
 * holds them for some seconds, and the worker waits for that.
 */
final class Ports {

    private Ports() {
    }

    static void check(Settings settings) throws Refusal {
        for (Endpoint endpoint : List.of(settings.rest(), settings.shell())) {
            check(endpoint);
        }
    }

    static void check(Endpoint endpoint) throws Refusal {
        String remedy = "set " + endpoint.variable() + " to a free one or change '" + endpoint.key() + "' in " + endpoint.file();
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(endpoint.host()), endpoint.port()));
        } catch (BindException e) {
            throw new Refusal("port " + endpoint.port() + " of " + endpoint.host() + ", where " + endpoint.what() + " shall listen, cannot be had ("
                + e.getMessage() + "); " + remedy);
        } catch (IOException | IllegalArgumentException e) {
            throw new Refusal("cannot listen on " + endpoint.host() + ":" + endpoint.port() + " for " + endpoint.what() + ": " + e.getMessage() + "; " + remedy);
        }
    }
}
