package io.sluice.connector.file.sink;

import io.sluice.connector.file.text.LastLineEnd;
import io.sluice.connector.file.text.LineEndFinder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repairs the end of a file that a crash has left in the middle of a line, so that the next line does not merge with it. */
final class TornLine {

    private static final Logger LOG = LoggerFactory.getLogger(TornLine.class);

    private TornLine() {
    }

    /** Makes the file end with a whole line, or with its byte order mark if it has no line. */
    static void repair(Path path, FileChannel channel, SinkOptions options) throws IOException {
        long size = channel.size();
        if (size < options.mark().length) {
            channel.truncate(0);
            return;
        }
        long whole = LastLineEnd.find(channel, size, options.encoding(), new LineEndFinder(options.lineEnd(), options.encoding()));
        if (whole >= size) {
            return;
        }
        if (options.cutTornLine()) {
            Path torn = path.resolveSibling(path.getFileName() + ".torn");
            try (FileChannel kept = FileChannel.open(torn, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                copy(channel, whole, size, kept);
                kept.write(ByteBuffer.wrap(options.separator()));
            }
            channel.truncate(whole);
            LOG.warn("{} ended in the middle of a line; its last {} bytes are in {} now, and their record comes again", path, size - whole, torn);
        } else {
            // Half a character cannot be completed, but the separator must lie where units of the encoding begin.
            int odd = (int) ((size - options.encoding().markLength()) % options.encoding().unit());
            channel.truncate(size - odd);
            ByteBuffer separator = ByteBuffer.wrap(options.separator());
            while (separator.hasRemaining()) {
                channel.write(separator, size - odd + separator.position());
            }
            LOG.warn("{} ended in the middle of a line; a line separator is put behind it, and its record comes again", path);
        }
    }

    private static void copy(FileChannel from, long start, long end, FileChannel to) throws IOException {
        long at = start;
        while (at < end) {
            at += from.transferTo(at, end - at, to);
        }
    }
}
