package io.sluice.connector.file.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Optional;

/**
 * One file that is or was at a tailed path, held open: it can be read to its end whatever happens to its name.
 *
 * <p>Its first bytes are remembered as they were when they were read. A file that was truncated and written anew is known by other
 * first bytes, even if it has grown beyond its old size.
 */
final class Generation implements Closeable {

    /** How many of the first bytes are remembered. */
    static final int HEAD = 1024;
    private static final int OPEN_ATTEMPTS = 50;

    private final FileChannel channel;
    private final Path path;
    private final FileId id;
    private byte[] head = {};
    private String wholeFingerprint;
    /** Where to begin, and how many line ends lie before it. */
    private long startPosition;
    private long startLine;

    private Generation(FileChannel channel, Path path, FileId id) {
        this.channel = channel;
        this.path = path;
        this.id = id;
    }

    /** Opens the regular file that is at {@code path}; empty if there is none. */
    static Optional<Generation> open(Path path) throws IOException {
        for (int i = 0; i < OPEN_ATTEMPTS; i++) {
            Optional<FileId> before = identify(path);
            if (before.isEmpty()) {
                return Optional.empty();
            }
            FileChannel channel;
            try {
                channel = FileChannel.open(path, StandardOpenOption.READ);
            } catch (NoSuchFileException e) {
                continue;
            }
            // What was opened is what was looked at only if it's still there afterwards.
            if (before.equals(identify(path))) {
                return Optional.of(new Generation(channel, path, before.get()));
            }
            channel.close();
        }
        throw new IOException(path + " is replaced faster than it can be opened");
    }

    /** What is at {@code path}: empty if nothing or no regular file. */
    static Optional<FileId> identify(Path path) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return attributes.isRegularFile() ? Optional.of(FileId.of(attributes)) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    FileId id() {
        return id;
    }

    Path path() {
        return path;
    }

    long size() throws IOException {
        return channel.size();
    }

    long startPosition() {
        return startPosition;
    }

    long startLine() {
        return startLine;
    }

    FileChannel channel() {
        return channel;
    }

    Generation startAt(long position, long line) {
        startPosition = position;
        startLine = line;
        return this;
    }

    /** Begins anew with the same file, which was truncated. */
    void restart() {
        head = new byte[0];
        wholeFingerprint = null;
        startAt(0, 0);
    }

    /** Reads up to {@code length} bytes; less only at the end of the file. */
    int read(byte[] into, int offset, int length, long position) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into, offset, length);
        int total = 0;
        while (total < length) {
            int n = channel.read(buffer, position + total);
            if (n < 0) {
                break;
            }
            total += n;
        }
        return total;
    }

    /**
     * Remembers first bytes that lie in the chunk just read, and checks that the file still begins as it did.
     *
     * @param chunk holds {@code length} bytes from {@code offset} on that were read at {@code position}
     * @return false if the file was truncated meanwhile, so that the chunk may hold anything
     */
    boolean remembers(byte[] chunk, int offset, int length, long position) throws IOException {
        long end = position + length;
        if (head.length < HEAD && end > head.length && position <= head.length) {
            int from = head.length;
            head = Arrays.copyOf(head, (int) Math.min(HEAD, end));
            System.arraycopy(chunk, offset + (int) (from - position), head, from, head.length - from);
            wholeFingerprint = null;
        }
        return beginsWith(head, head.length) && (length > 0 || channel.size() >= end);
    }

    /** Reads the first bytes up to {@code position} into memory, for a file that is gone on with. */
    void loadHead(long position) throws IOException {
        head = readHead((int) Math.min(HEAD, position));
        wholeFingerprint = null;
    }

    /** True if the first bytes are those that were hashed. */
    boolean matches(Fingerprint fingerprint) throws IOException {
        byte[] now = readHead(fingerprint.length());
        return now.length == fingerprint.length() && Fingerprint.of(now, now.length).equals(fingerprint);
    }

    /** True if the file begins with all first bytes that {@code other} remembers, at least one. */
    boolean beginsLike(Generation other) throws IOException {
        return other.head.length > 0 && beginsWith(other.head, other.head.length);
    }

    /** True if this is, or is on the way to be, a copy of what {@code original} holds now: it has the same bytes at both of its ends. */
    boolean isCopyOf(Generation original) throws IOException {
        long size = channel.size();
        if (size > original.size()) {
            return false;
        }
        int length = (int) Math.min(HEAD, size);
        return original.beginsWith(readHead(length), length)
            && Arrays.equals(readAt(size - length, length), original.readAt(size - length, length));
    }

    /** The fingerprint to store with a position, as text. */
    String fingerprint(long position) {
        int length = (int) Math.min(head.length, position);
        if (length < HEAD) {
            return Fingerprint.of(head, length).toString();
        }
        if (wholeFingerprint == null) {
            wholeFingerprint = Fingerprint.of(head, HEAD).toString();
        }
        return wholeFingerprint;
    }

    /** The fingerprint of all that would be remembered if the file were read now. */
    Fingerprint currentFingerprint() throws IOException {
        byte[] now = readHead(HEAD);
        return Fingerprint.of(now, now.length);
    }

    byte[] readHead(int length) throws IOException {
        return readAt(0, length);
    }

    private boolean beginsWith(byte[] bytes, int length) throws IOException {
        byte[] now = readHead(length);
        return now.length == length && Arrays.equals(now, 0, length, bytes, 0, length);
    }

    private byte[] readAt(long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        int n = read(bytes, 0, length, position);
        return n == length ? bytes : Arrays.copyOf(bytes, n);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public String toString() {
        return path + " " + id;
    }
}
