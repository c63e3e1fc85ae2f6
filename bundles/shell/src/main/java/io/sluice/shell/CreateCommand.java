package io.sluice.shell;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.runtime.Connect;
import io.sluice.runtime.ErrorCode;
import io.sluice.runtime.SluiceException;
import io.sluice.runtime.TargetState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code connect:create}. */
@Service
@Command(scope = "connect", name = "create", description = "Creates a connector, or with --replace changes one")
public class CreateCommand extends ConnectAction {

    @Argument(index = 0, name = "connector", description = "The connector's name", required = true)
    String connector;

    @Argument(index = 1, name = "settings", description = "Configuration keys and values, as key=value", multiValued = true)
    List<String> settings;

    @Option(name = "--file", description = "A JSON file with the configuration; settings on the command line win over it")
    String file;

    @Option(name = "--replace", description = "Change the connector if it exists")
    boolean replace;

    @Option(name = "--stopped", description = "Create it without starting it")
    boolean stopped;

    @Override
    void run() throws Exception {
        Map<String, String> config = file == null ? new LinkedHashMap<>() : read(Path.of(file));
        for (String setting : settings == null ? List.<String>of() : settings) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw new SluiceException(ErrorCode.BAD_REQUEST, "'" + setting + "' is not a setting; write key=value");
            }
            config.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        if (replace) {
            Connect.PutResult result = connect.put(connector, config, author());
            System.out.println("connector '" + connector + "' " + (result.created() ? "created" : "changed") + ", revision " + result.connector().revision());
        } else {
            connect.create(connector, config, stopped ? TargetState.STOPPED : TargetState.RUNNING, author());
            System.out.println("connector '" + connector + "' created");
        }
    }

    /** Reads a flat configuration, or the body of a REST request that holds one under "config". */
    private static Map<String, String> read(Path path) {
        JsonNode node;
        try {
            node = mapper().readTree(Files.readAllBytes(path));
        } catch (IOException e) {
            throw new SluiceException(ErrorCode.BAD_REQUEST, "cannot read " + path + ": " + e.getMessage(), e);
        }
        JsonNode config = node.has("config") && node.get("config").isObject() ? node.get("config") : node;
        if (!config.isObject()) {
            throw new SluiceException(ErrorCode.BAD_REQUEST, path + " needs to hold a JSON object");
        }
        Map<String, String> settings = new LinkedHashMap<>();
        config.properties().forEach(entry -> {
            if (!entry.getValue().isValueNode() || entry.getValue().isNull()) {
                throw new SluiceException(ErrorCode.BAD_REQUEST, "the value of '" + entry.getKey() + "' in " + path + " needs to be text");
            }
            settings.put(entry.getKey(), entry.getValue().asText());
        });
        return settings;
    }
}
