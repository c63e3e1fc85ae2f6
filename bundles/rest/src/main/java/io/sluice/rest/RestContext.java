package io.sluice.rest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ServiceScope;
import org.osgi.service.servlet.context.ServletContextHelper;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardContext;

/** Lets nobody in without a name and password of Karaf's realm. */
@Component(service = ServletContextHelper.class, scope = ServiceScope.BUNDLE)
@HttpWhiteboardContext(name = RestContext.NAME, path = "/")
public final class RestContext extends ServletContextHelper {

    static final String NAME = "io.sluice.rest";
    /** Request attribute: the {@link JaasLogin.User}. */
    static final String USER = "io.sluice.rest.user";

    @Override
    public boolean handleSecurity(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<JaasLogin.User> user = JaasLogin.basic(request.getHeader("Authorization"));
        if (user.isEmpty()) {
            response.setHeader("WWW-Authenticate", "Basic realm=\"Sluice\", charset=\"UTF-8\"");
            Reply.error(401, "Unauthorized: give the name and password of a user of this installation").write(response);
            return false;
        }
        request.setAttribute(USER, user.get());
        request.setAttribute(REMOTE_USER, user.get().name());
        request.setAttribute(AUTHENTICATION_TYPE, HttpServletRequest.BASIC_AUTH);
        return true;
    }
}
