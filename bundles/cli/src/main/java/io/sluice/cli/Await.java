package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Waits until REST says that the worker is healthy and that the connectors named run with all their tasks. */
final class Await {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final JsonMapper JSON = new JsonMapper();

    private final Settings settings;
    private final Endpoint rest;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private Await(Settings settings) throws Refusal {
        this.settings = settings;
        this.rest = settings.rest();
    }

    /** @param arguments {@code --pid N}, if the wait shall end with that process, and names of connectors */
    static void run(Settings settings, List<String> arguments) throws Refusal {
        boolean watch = arguments.size() > 1 && arguments.get(0).equals("--pid");
        long pid = watch ? Long.parseLong(arguments.get(1)) : ProcessHandle.current().pid();
        new Await(settings).await(pid, watch ? arguments.subList(2, arguments.size()) : arguments);
    }

    private void await(long pid, List<String> connectors) throws Refusal {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        String lacking = lacking(connectors);
        while (!lacking.isEmpty()) {
            if (ProcessHandle.of(pid).isEmpty()) {
                throw new Refusal("Sluice has ended");
            }
            if (System.nanoTime() > deadline) {
                throw new Refusal("not ready after " + LIMIT.toSeconds() + " s: " + lacking);
            }
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Refusal("interrupted");
            }
            lacking = lacking(connectors);
        }
    }

    /** What is not ready yet, and why; empty if all is. */
    private String lacking(List<String> connectors) throws Refusal {
        if (!Files.exists(settings.passwordFile())) {
            return "there is no " + settings.passwordFile();
        }
        if (get("/health").isEmpty()) {
            return "REST on " + rest.host() + ":" + rest.port() + " does not say that the worker is healthy";
        }
        List<String> lacking = new ArrayList<>();
        for (String name : connectors) {
            String reason = get("/v1/connectors/" + name + "/status").map(Await::lacking).orElse("it is not known");
            if (!reason.isEmpty()) {
                lacking.add("connector '" + name + "': " + reason);
            }
        }
        return String.join("; ", lacking);
    }

    static String lacking(JsonNode status) {
        JsonNode connector = status.path("connector");
        if (!connector.path("state").asText().equals("RUNNING")) {
            return state(connector);
        }
        if (status.path("tasks").isEmpty()) {
            return "it has no task yet";
        }
        for (JsonNode task : status.path("tasks")) {
            if (!task.path("state").asText().equals("RUNNING")) {
                return "task " + task.path("id").asText() + " " + state(task);
            }
        }
        return "";
    }

    private static String state(JsonNode node) {
        String reason = node.path("reason").asText("");
        return "is " + node.path("state").asText("in no state") + (reason.isEmpty() ? "" : ", " + reason);
    }

    /** Empty if nobody answers or the answer is no success. */
    private Optional<JsonNode> get(String path) throws Refusal {
        String credentials = Base64.getEncoder().encodeToString(("admin:" + settings.password()).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + rest.host() + ":" + rest.port() + path)).timeout(Duration.ofSeconds(10))
            .header("Authorization", "Basic " + credentials).build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? Optional.of(JSON.readTree(response.body())) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal("interrupted");
        }
    }
}
