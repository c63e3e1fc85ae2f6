package io.sluice.connector.file.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.stream.IntStream;

/** Writes numbered lines to a log file and rotates it as well-known programs do. */
final class Writer implements AutoCloseable {

    /** Ways of rotation. */
    enum Rotation { LOGROTATE, LOG4J2, COPYTRUNCATE_CHAIN, COPYTRUNCATE_DATED }

    private final Path file;
    private FileChannel channel;
    private int next;
    private int rotations;

    Writer(Path file) throws IOException {
        this.file = file;
        open();
    }

    private void open() throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    static String line(int number) {
        return "line " + number + " of a log file, as long as such lines are";
    }

    /** Writes {@code count} lines in pieces that do not end where lines do. */
    void write(int count) throws IOException {
        StringBuilder text = new StringBuilder();
        IntStream.range(next, next + count).forEach(number -> text.append(line(number)).append('\n'));
        next += count;
        ByteBuffer bytes = UTF_8.encode(text.toString());
        int end = bytes.limit();
        while (bytes.position() < end) {
            bytes.limit(Math.min(end, bytes.position() + 8191));
            channel.write(bytes);
        }
    }

    int written() {
        return next;
    }

    void rotate(Rotation rotation, int keep) throws IOException {
        rotations++;
        switch (rotation) {
            case LOGROTATE -> {
                shift(keep);
                Files.move(file, numbered(1));
                reopen();
            }
            case LOG4J2 -> {
                Files.move(file, file.resolveSibling("app-" + rotations + ".log"));
                Files.deleteIfExists(file.resolveSibling("app-" + (rotations - keep) + ".log"));
                reopen();
            }
            case COPYTRUNCATE_CHAIN -> {
                shift(keep);
                copyAndTruncate(numbered(1));
            }
            case COPYTRUNCATE_DATED -> {
                copyAndTruncate(file.resolveSibling("app.log-2026120" + (100 + rotations)));
                Files.deleteIfExists(file.resolveSibling("app.log-2026120" + (100 + rotations - keep)));
            }
        }
    }

    private void shift(int keep) throws IOException {
        Files.deleteIfExists(numbered(keep));
        for (int i = keep - 1; i >= 1; i--) {
            if (Files.exists(numbered(i))) {
                Files.move(numbered(i), numbered(i + 1), StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private void copyAndTruncate(Path copy) throws IOException {
        Files.copy(file, copy);
        channel.truncate(0);
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    private void reopen() throws IOException {
        channel.close();
        open();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
