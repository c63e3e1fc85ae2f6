package io.sluice.connector.file.source;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The offset map of one line: four or five values that share all but the two numbers with the lines around it. Immutable. */
final class LineOffset extends AbstractMap<String, Object> {

    /** The position of the first byte behind the line, a Long. */
    static final String POSITION = "position";
    /** How many line ends lie before that position, a Long. */
    static final String LINE = "line";
    /** What file it is, a String. */
    static final String FILE_KEY = "fileKey";
    /** The hash of the file's first bytes, a String. */
    static final String FINGERPRINT = "fingerprint";
    /** The files that were at the path before, a String; not there if nobody needs to know. */
    static final String PREVIOUS = "previous";

    private static final List<String> KEYS = List.of(POSITION, LINE, FILE_KEY, FINGERPRINT, PREVIOUS);

    private final long position;
    private final long line;
    private final String fileKey;
    private final String fingerprint;
    private final String previous;

    /** @param previous empty if there are none */
    LineOffset(long position, long line, String fileKey, String fingerprint, String previous) {
        this.position = position;
        this.line = line;
        this.fileKey = fileKey;
        this.fingerprint = fingerprint;
        this.previous = previous;
    }

    @Override
    public Object get(Object key) {
        if (!(key instanceof String name)) {
            return null;
        }
        return switch (name) {
            case POSITION -> position;
            case LINE -> line;
            case FILE_KEY -> fileKey;
            case FINGERPRINT -> fingerprint;
            case PREVIOUS -> previous.isEmpty() ? null : previous;
            default -> null;
        };
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public int size() {
        return previous.isEmpty() ? KEYS.size() - 1 : KEYS.size();
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, Object>> iterator() {
                return KEYS.stream().limit(size()).<Map.Entry<String, Object>>map(key -> Map.entry(key, LineOffset.this.get(key))).iterator();
            }

            @Override
            public int size() {
                return LineOffset.this.size();
            }
        };
    }
}
