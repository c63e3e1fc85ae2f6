package io.sluice.connector.file.source;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.file.text.TextEncoding;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/** Turns the bytes of a line into text, exactly once, and knows where characters end. */
final class LineDecoder {

    private final TextEncoding encoding;
    private final boolean failOnMalformed;
    private long malformedLines;

    LineDecoder(TextEncoding encoding, boolean failOnMalformed) {
        this.encoding = encoding;
        this.failOnMalformed = failOnMalformed;
    }

    /** How many lines had bytes that are not text. */
    long malformedLines() {
        return malformedLines;
    }

    /**
     * @param place says where the line is, asked for only if it is malformed
     * @throws ConnectException if bytes are not text and the configuration does not allow it
     */
    String decode(byte[] bytes, int offset, int length, java.util.function.IntFunction<String> place) {
        String text = new String(bytes, offset, length, encoding.charset());
        // A replacement character is the sign of malformed bytes, unless the file holds one itself. No Latin-1 string holds one, so that
        // looking for it costs nothing in the common case.
        if (text.indexOf('\uFFFD') >= 0) {
            checkStrictly(bytes, offset, length, place);
        }
        return text;
    }

    private void checkStrictly(byte[] bytes, int offset, int length, java.util.function.IntFunction<String> place) {
        CharsetDecoder strict = encoding.charset().newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        CharBuffer out = CharBuffer.allocate((int) Math.ceil(length * (double) strict.maxCharsPerByte()) + 1);
        CoderResult result = strict.decode(in, out, true);
        if (!result.isError()) {
            return;
        }
        malformedLines++;
        if (failOnMalformed) {
            String where = place.apply(in.position() - offset);
            try {
                result.throwException();
            } catch (CharacterCodingException e) {
                throw new ConnectException(where + " has bytes that are not " + encoding.charset()
                    + " text; set 'charset' to the file's encoding, or 'malformed.input' to replace", e);
            }
        }
    }

    /** The length of the whole characters in the first {@code length} bytes. */
    int wholeCharacters(byte[] bytes, int offset, int length) {
        CharsetDecoder decoder = encoding.charset().newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE).onUnmappableCharacter(CodingErrorAction.REPLACE);
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        CharBuffer out = CharBuffer.allocate(8192);
        while (decoder.decode(in, out, false).isOverflow()) {
            out.clear();
        }
        return in.position() - offset;
    }
}
