package io.sluice.rest;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks HTTP Basic credentials (RFC 7617) against Karaf's JAAS realm, the same users that the shell knows. */
final class JaasLogin {

    private static final Logger LOG = LoggerFactory.getLogger(JaasLogin.class);
    private static final String REALM = "karaf";

    /** A user who has logged in. */
    record User(String name, Role role) { }

    private JaasLogin() {
    }

    /** The user that an Authorization header names; empty if it is absent, malformed, wrong, or the user has none of our roles. */
    static Optional<User> basic(String header) {
        if (header == null || !header.regionMatches(true, 0, "Basic ", 0, 6)) {
            return Optional.empty();
        }
        String[] credentials;
        try {
            credentials = new String(Base64.getDecoder().decode(header.substring(6).trim()), StandardCharsets.UTF_8).split(":", 2);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return credentials.length == 2 ? login(credentials[0], credentials[1].toCharArray()) : Optional.empty();
    }

    private static Optional<User> login(String name, char[] password) {
        Subject subject = new Subject();
        try {
            new LoginContext(REALM, subject, callbacks -> {
                for (Callback callback : callbacks) {
                    if (callback instanceof NameCallback wanted) {
                        wanted.setName(name);
                    } else if (callback instanceof PasswordCallback wanted) {
                        wanted.setPassword(password);
                    } else {
                        throw new UnsupportedCallbackException(callback);
                    }
                }
            }).login();
        } catch (LoginException e) {
            LOG.debug("login of '{}' refused: {}", name, e.getMessage());
            return Optional.empty();
        }
        return subject.getPrincipals(RolePrincipal.class).stream().map(principal -> Role.of(principal.getName())).filter(Objects::nonNull)
            .max(Comparator.naturalOrder()).map(role -> new User(name, role));
    }
}
