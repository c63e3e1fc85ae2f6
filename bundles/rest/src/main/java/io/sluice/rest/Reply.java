package io.sluice.rest;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer.
 *
 * @param status the HTTP status
 * @param body what to send as JSON; null for none
 * @param headers further headers
 */
record Reply(int status, Object body, Map<String, String> headers) {

    static Reply of(int status, Object body) {
        return new Reply(status, body, Map.of());
    }

    static Reply ok(Object body) {
        return of(200, body);
    }

    static Reply empty(int status) {
        return of(status, null);
    }

    /** The shape that Kafka Connect gives every error. */
    static Reply error(int status, String message) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error_code", status);
        body.put("message", message);
        return of(status, body);
    }

    void write(HttpServletResponse response) throws IOException {
        response.setStatus(status);
        headers.forEach(response::setHeader);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        if (body != null) {
            byte[] bytes = Json.MAPPER.writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
            response.setContentType("application/json");
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        }
    }
}
