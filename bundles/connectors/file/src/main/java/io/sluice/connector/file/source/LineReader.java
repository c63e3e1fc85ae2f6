package io.sluice.connector.file.source;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.file.text.LastLineEnd;
import io.sluice.connector.file.text.LineEnd;
import io.sluice.connector.file.text.LineEndFinder;
import io.sluice.connector.file.text.TextEncoding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Cuts one file after the other into lines. {@link #next} finds the next line in the bytes that are in memory and shows it in fields, so
 * that a line costs no more than its string; {@link #fill} reads more bytes.
 *
 * <p>A piece of a line that was emitted before its line end was seen makes what follows a continuation: if nothing follows but the line
 * end, no empty line comes of it. Where a position lies is told from the bytes before it, so that a position is all that must be stored.
 */
final class LineReader {

    /** Answers of {@link #fill} beside a number of bytes. */
    static final int NOTHING = 0;
    static final int TRUNCATED = -1;

    private final SourceOptions options;
    private final SpareBuffer spare;

    private Generation generation;
    private TextEncoding encoding;
    private LineEndFinder finder;
    private LineDecoder decoder;

    private byte[] buffer;
    /** The file's position of the first byte in the buffer. */
    private long base;
    private int start;
    private int scanned;
    private int end;

    private long lineEnds;
    private boolean continuation;
    private boolean skipLf;
    /** The beginning of a line whose rest is left out; null if there is none. */
    private String cutText;
    private long cutOffset;

    private String text;
    private long textOffset;
    private long textLine;

    LineReader(SourceOptions options, SpareBuffer spare) {
        this.options = options;
        this.spare = spare;
    }

    /** Goes on with {@code next} at its start position, which lies at a place where this reader has been before or where a file begins. */
    void open(Generation next) throws IOException {
        drop();
        generation = next;
        encoding = null;
        base = next.startPosition();
        lineEnds = next.startLine();
        continuation = false;
        skipLf = false;
        next.loadHead(base);
        if (decideEncoding() && base > encoding.markLength()) {
            base -= (base - encoding.markLength()) % encoding.unit();
            lookBack();
        }
    }

    /** Moves to the end of the last whole line. */
    void seekToEnd() throws IOException {
        if (decideEncoding()) {
            long position = LastLineEnd.find(generation.channel(), generation.size(), encoding, finder);
            open(generation.startAt(position, 0));
        }
    }

    /** The position behind all that was emitted: the place to go on from. */
    long position() {
        return cutText == null ? base + start : cutOffset;
    }

    /** How many line ends lie before {@link #position()}. */
    long lineEnds() {
        return lineEnds;
    }

    /** The position up to which the file has been read. */
    long readPosition() {
        return base + end;
    }

    String text() {
        return text;
    }

    /** The position at which the line begins. */
    long textOffset() {
        return textOffset;
    }

    /** The number of the line, from 1 on. */
    long textLine() {
        return textLine;
    }

    long malformedLines() {
        return decoder == null ? 0 : decoder.malformedLines();
    }

    /** True if part of a line is at hand whose end is not. */
    boolean hasPartialLine() {
        return end > start || cutText != null;
    }

    /** Shows the next line; false if more bytes are needed for it. */
    boolean next() {
        if (encoding == null || buffer == null) {
            return false;
        }
        int unit = encoding.unit();
        if (skipLf && end - start >= unit) {
            start += finder.isLf(buffer, start) ? unit : 0;
            skipLf = false;
        }
        while (true) {
            int found = finder.find(buffer, start, Math.max(scanned, start), end);
            if (found < 0) {
                scanned = end - (end - start) % unit;
                if (cutText != null) {
                    // Two units are kept back: the last may be the first half of a line end, and the next byte may complete one.
                    start = Math.max(start, scanned - unit);
                    return false;
                }
                return scanned - start > options.lineMaxBytes() + 2L * unit && cutLongLine() && cutText == null;
            }
            scanned = found;
            int textEnd = textEnd(found);
            if (cutText != null) {
                show(cutText, cutOffset);
                cutText = null;
            } else if (textEnd - start > options.lineMaxBytes()) {
                if (cutLongLine() && cutText == null) {
                    return true;
                }
                continue;
            } else if (textEnd == start && continuation) {
                finishLine(found);
                continue;
            } else {
                show(decode(start, textEnd - start), base + start);
            }
            finishLine(found);
            return true;
        }
    }

    private int textEnd(int found) {
        int unit = encoding.unit();
        boolean crBefore = found - unit >= start && finder.isCr(buffer, found - unit);
        return switch (options.lineEnd()) {
            case CRLF -> found - unit;
            case AUTO -> crBefore ? found - unit : found;
            default -> found;
        };
    }

    private void show(String line, long offset) {
        text = line;
        textOffset = offset;
        textLine = lineEnds + 1;
    }

    private void finishLine(int found) {
        int unit = encoding.unit();
        start = found + unit;
        if (options.lineEnd() == LineEnd.ANY && finder.isCr(buffer, found)) {
            if (start + unit <= end) {
                start += finder.isLf(buffer, start) ? unit : 0;
            } else {
                skipLf = true;
            }
        }
        scanned = start;
        lineEnds++;
        continuation = false;
    }

    /** Deals with a line of more bytes than allowed. True if there is a piece to show, or a beginning whose rest is to be left out. */
    private boolean cutLongLine() {
        if (options.tooLong() == SourceOptions.TooLong.FAIL) {
            throw new ConnectException(place(0) + " is longer than 'line.max.bytes' = " + options.lineMaxBytes()
                + "; raise it (to at most 1073741824), or set 'line.too.long' to split or truncate");
        }
        int length = decoder.wholeCharacters(buffer, start, options.lineMaxBytes());
        if (options.lineEnd() == LineEnd.CRLF && finder.isCr(buffer, start + length - encoding.unit())) {
            length -= encoding.unit();
        }
        String piece = decode(start, length);
        show(piece, base + start);
        if (options.tooLong() == SourceOptions.TooLong.TRUNCATE) {
            cutText = piece;
            cutOffset = base + start;
        } else {
            continuation = true;
        }
        start += length;
        return true;
    }

    /**
     * Shows what there is of a line without its line end; false if there is nothing.
     *
     * @param complete true if nothing will follow; otherwise the bytes of a character that is not whole yet are kept for later
     */
    boolean finish(boolean complete) {
        if (cutText != null) {
            start = end;
            show(cutText, cutOffset);
            cutText = null;
            continuation = true;
            return true;
        }
        int length = end - start;
        if (length == 0 || !complete && (length = decoder.wholeCharacters(buffer, start, length)) == 0) {
            return false;
        }
        int unit = encoding.unit();
        boolean dropCr = options.lineEnd() == LineEnd.AUTO && length >= unit && finder.isCr(buffer, start + length - unit);
        boolean onlyLineEnd = dropCr && length == unit && continuation;
        show(decode(start, dropCr ? length - unit : length), base + start);
        start += length;
        scanned = Math.max(scanned, start);
        continuation = true;
        return !onlyLineEnd;
    }

    /** Reads more bytes: their number, {@link #NOTHING} at the end of the file, or {@link #TRUNCATED} if the file begins otherwise than it did. */
    int fill() throws IOException {
        if (encoding == null && !decideEncoding()) {
            return NOTHING;
        }
        if (buffer == null) {
            buffer = spare.take();
        }
        makeRoom();
        int n = generation.read(buffer, end, Math.min(SpareBuffer.SIZE, buffer.length - end), base + end);
        if (!generation.remembers(buffer, end, n, base + end)) {
            return TRUNCATED;
        }
        end += n;
        return n;
    }

    private void makeRoom() {
        if (start == end) {
            base += start;
            start = scanned = end = 0;
        }
        if (end < buffer.length) {
            return;
        }
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            base += start;
            scanned -= start;
            end -= start;
            start = 0;
        } else {
            long most = options.lineMaxBytes() + 8L + SpareBuffer.SIZE;
            buffer = Arrays.copyOf(buffer, (int) Math.min(most, buffer.length * 2L));
        }
    }

    /** Gives the buffer back while another file is read; a long unfinished line is kept. */
    void release() {
        if (buffer != null && end - start < SpareBuffer.SIZE) {
            base += start;
            spare.give(buffer);
            buffer = null;
            start = scanned = end = 0;
        }
    }

    /** Forgets all bytes that were read and not emitted. */
    void drop() {
        base = position();
        if (buffer != null) {
            spare.give(buffer);
            buffer = null;
        }
        start = scanned = end = 0;
        cutText = null;
    }

    private String decode(int from, int length) {
        return decoder.decode(buffer, from, length, this::place);
    }

    private String place(int bytesIntoLine) {
        return generation.path() + ", line " + (lineEnds + 1) + ", byte " + (base + start + bytesIntoLine) + " of the file";
    }

    /** Tells the encoding from the first bytes; false if there are too few of them. */
    private boolean decideEncoding() throws IOException {
        if (encoding != null) {
            return true;
        }
        byte[] head = generation.readHead(4);
        if (TextEncoding.undecided(options.charset(), head, head.length)) {
            return false;
        }
        use(TextEncoding.of(options.charset(), head, head.length));
        if (base < encoding.markLength()) {
            base = encoding.markLength();
            generation.loadHead(base);
        }
        return true;
    }

    private void use(TextEncoding decided) {
        encoding = decided;
        finder = new LineEndFinder(options.lineEnd(), decided);
        decoder = new LineDecoder(decided, options.failOnMalformed());
    }

    /** True if a line of the file ends right before the position. */
    static boolean lineEndsAt(Generation file, long position, SourceOptions options) {
        try {
            byte[] head = file.readHead(4);
            TextEncoding encoding = TextEncoding.of(options.charset(), head, head.length);
            int length = (int) Math.min(2L * encoding.unit(), position);
            byte[] before = new byte[length];
            return file.read(before, 0, length, position - length) == length
                && new LineEndFinder(options.lineEnd(), encoding).endsLine(before, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells from the bytes before the position whether a line begins there. */
    private void lookBack() throws IOException {
        int length = (int) Math.min(2L * encoding.unit(), base - encoding.markLength());
        byte[] before = new byte[length];
        if (generation.read(before, 0, length, base - length) == length) {
            continuation = !finder.endsLine(before, 0, length);
            skipLf = options.lineEnd() == LineEnd.ANY && finder.isCr(before, length - encoding.unit());
        }
    }
}
