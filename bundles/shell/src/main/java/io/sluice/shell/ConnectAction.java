package io.sluice.shell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.runtime.Connect;
import io.sluice.runtime.SluiceException;
import java.security.AccessController;
import javax.security.auth.Subject;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.support.CommandException;

/** What all commands have in common: the runtime, JSON on demand, and failures that end in a clear line and an exit code other than 0. */
abstract class ConnectAction implements Action {

    private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @Reference
    Connect connect;

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

    /** Who types, for the store: {@code admin@shell}. */
    @SuppressWarnings("removal")
    static String author() {
        Subject subject = Subject.getSubject(AccessController.getContext());
        if (subject == null) {
            return "console@shell";
        }
        return subject.getPrincipals(UserPrincipal.class).stream().map(UserPrincipal::getName).findFirst().orElse("console") + "@shell";
    }
}
