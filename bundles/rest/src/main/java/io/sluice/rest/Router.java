package io.sluice.rest;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Finds the route of a request by method and path. A segment in braces stands for any one segment. */
final class Router {

    /** Answers a request. */
    interface Handler {
        Reply handle(Call call) throws IOException;
    }

    /** A path with a method, who may use it, and what answers. */
    record Route(String method, List<String> segments, Role role, Handler handler) { }

    /** A route with the values of its placeholders. */
    record Match(Route route, Map<String, String> values) { }

    private final List<Route> routes = new ArrayList<>();

    Router add(String method, String path, Role role, Handler handler) {
        routes.add(new Route(method, split(path), role, handler));
        return this;
    }

    /** The route of a request; HEAD is answered by the route of GET. @param rawPath as sent, not decoded */
    Optional<Match> find(String method, String rawPath) {
        List<String> segments = split(rawPath);
        String wanted = method.equals("HEAD") ? "GET" : method;
        return routes.stream().filter(route -> route.method.equals(wanted) && matches(route, segments)).findFirst()
            .map(route -> new Match(route, values(route, segments)));
    }

    /** The methods that a path knows, for the Allow header. */
    Set<String> methods(String rawPath) {
        List<String> segments = split(rawPath);
        Set<String> methods = new TreeSet<>();
        routes.stream().filter(route -> matches(route, segments)).forEach(route -> methods.add(route.method));
        return methods;
    }

    private static List<String> split(String path) {
        List<String> segments = new ArrayList<>(List.of(path.split("/")));
        segments.removeIf(String::isEmpty);
        return segments;
    }

    private static boolean matches(Route route, List<String> segments) {
        if (route.segments.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!isPlaceholder(route.segments.get(i)) && !route.segments.get(i).equals(segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlaceholder(String segment) {
        return segment.startsWith("{");
    }

    private static Map<String, String> values(Route route, List<String> segments) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < segments.size(); i++) {
            String name = route.segments.get(i);
            if (isPlaceholder(name)) {
                values.put(name.substring(1, name.length() - 1), decode(segments.get(i)));
            }
        }
        return values;
    }

    /** Percent-decoding as in a path, where a plus sign is a plus sign. */
    private static String decode(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Json.bad("'" + segment + "' is not a well-formed part of a path");
        }
    }
}
