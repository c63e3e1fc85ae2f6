package io.sluice.shell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.runtime.Connect;
import io.sluice.runtime.SluiceException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;

/** What all commands have in common: the runtime, JSON on demand, and failures that end in a clear line and an exit code other than 0. */
abstract class ConnectAction implements Action {

    private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @Reference
    Connect connect;

    @Reference
    Session session;

    @Option(name = "--json", description = "Print JSON instead of a table")
    boolean json;

    @Override
    public final Object execute() throws Exception {
        try {
            run();
            return null;
        } catch (SluiceException e) {
            throw new CommandException("Error " + e.code() + ": " + e.getMessage(), e);
        }
    }

    /** Does what the command is for. @throws SluiceException if it cannot be done */
    abstract void run() throws Exception;

    final void print(Object value) throws JsonProcessingException {
        System.out.println(JSON.writeValueAsString(value));
    }

    static JsonMapper mapper() {
        return JSON;
    }

    /** A time as tables show it: in UTC, to the second. */
    static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Who types, for the store: {@code admin@shell}. */
    final String author() {
        Object user = session.get("USER");
        return (user == null ? "console" : user) + "@shell";
    }
}
