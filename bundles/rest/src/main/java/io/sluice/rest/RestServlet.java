package io.sluice.rest;

import io.sluice.runtime.Connect;
import io.sluice.runtime.SluiceException;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardContextSelect;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletPattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way in: finds the route, checks the role, and turns whatever is thrown into an error of the right shape. */
@Component(service = Servlet.class)
@HttpWhiteboardServletPattern("/*")
@HttpWhiteboardContextSelect("(osgi.http.whiteboard.context.name=" + RestContext.NAME + ")")
public final class RestServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(RestServlet.class);

    private final transient Router router = new Router();

    @Activate
    public RestServlet(@Reference Connect connect) {
        new ConnectorRoutes(connect).addTo(router);
        new OtherRoutes(connect).addTo(router);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request).write(response);
    }

    private Reply answer(HttpServletRequest request) {
        String path = request.getRequestURI();
        try {
            Optional<Router.Match> match = router.find(request.getMethod(), path);
            if (match.isEmpty()) {
                return notFound(path, request.getMethod());
            }
            JaasLogin.User user = (JaasLogin.User) request.getAttribute(RestContext.USER);
            Role needed = match.get().route().role();
            if (!user.role().includes(needed)) {
                return Reply.error(403, "Forbidden: '" + user.name() + "' has the role " + word(user.role()) + ", and this needs the role " + word(needed));
            }
            return match.get().route().handler().handle(new Call(request, user, match.get().values()));
        } catch (SluiceException e) {
            return Reply.error(e.code().httpStatus(), e.getMessage());
        } catch (Call.UnsupportedMediaType e) {
            return Reply.error(415, e.getMessage());
        } catch (IOException | RuntimeException e) {
            LOG.error("{} {} failed", request.getMethod(), path, e);
            return Reply.error(500, "Internal Server Error: " + e.getClass().getSimpleName() + "; the worker's log has the details");
        }
    }

    private static String word(Role role) {
        return role.name().toLowerCase(java.util.Locale.ROOT);
    }

    private Reply notFound(String path, String method) {
        Set<String> methods = router.methods(path);
        if (methods.isEmpty()) {
            return Reply.error(404, "HTTP 404 Not Found");
        }
        Reply error = Reply.error(405, "HTTP 405 Method Not Allowed: " + method + "; this path takes " + String.join(", ", methods));
        return new Reply(405, error.body(), Map.of("Allow", String.join(", ", methods)));
    }
}
