package io.sluice.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A request on its way to its route.
 *
 * @param request the servlet's request
 * @param user who asks
 * @param path the values of the route's placeholders, decoded
 */
record Call(HttpServletRequest request, JaasLogin.User user, Map<String, String> path) {

    String path(String name) {
        return path.get(name);
    }

    /** Who this is, for the store: {@code admin@rest}. */
    String author() {
        return user.name() + "@rest";
    }

    /** The body as a JSON object. */
    ObjectNode body() throws IOException {
        String type = request.getContentType();
        if (type != null && !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            throw new UnsupportedMediaType(type);
        }
        return Json.object(request.getInputStream());
    }

    /** The values of a query parameter. */
    List<String> query(String name) {
        String[] values = request.getParameterValues(name);
        return values == null ? List.of() : List.of(values);
    }

    /** A query parameter that is true or false. @throws io.sluice.runtime.SluiceException BAD_REQUEST if it is something else */
    boolean flag(String name, boolean otherwise) {
        List<String> values = query(name);
        if (values.isEmpty()) {
            return otherwise;
        }
        return switch (values.get(0).toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Json.bad("'" + name + "' cannot be '" + values.get(0) + "'; it needs true or false");
        };
    }

    /** The body's content type is not JSON. */
    static final class UnsupportedMediaType extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnsupportedMediaType(String type) {
            super("HTTP 415 Unsupported Media Type: '" + type + "'; send application/json");
        }
    }
}
