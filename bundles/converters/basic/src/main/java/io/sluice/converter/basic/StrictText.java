package io.sluice.converter.basic;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Text to bytes and back in one encoding, without replacing what does not fit. Thread-safe. */
final class StrictText {

    /** In these, the byte '?' appears in encoded text only for a question mark or for a character that was replaced by one. */
    private static final Set<Charset> FAST = Set.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1);
    private static final char REPLACEMENT = '\uFFFD';

    private final Charset charset;
    private final boolean fast;

    StrictText(Charset charset) {
        if (!charset.canEncode()) {
            throw new IllegalArgumentException(charset + " can only be read");
        }
        this.charset = charset;
        this.fast = FAST.contains(charset);
    }

    /** @throws IllegalArgumentException if the encoding lacks a character */
    byte[] encode(String text) {
        if (fast) {
            byte[] bytes = text.getBytes(charset);
            if (!contains(bytes, (byte) '?')) {
                return bytes;
            }
        }
        CharsetEncoder encoder = charset.newEncoder();
        CharBuffer chars = CharBuffer.wrap(text);
        try {
            ByteBuffer buffer = encoder.encode(chars);
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("expected text that " + charset + " can hold, found a character at index " + chars.position()
                + " that it cannot", e);
        }
    }

    /** @throws IllegalArgumentException if the bytes are not text in this encoding */
    String decode(byte[] bytes) {
        if (fast) {
            String text = new String(bytes, charset);
            if (text.indexOf(REPLACEMENT) < 0) {
                return text;
            }
        }
        CharsetDecoder decoder = charset.newDecoder();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        CharBuffer chars = CharBuffer.allocate((int) Math.ceil(bytes.length * (double) decoder.maxCharsPerByte()));
        CoderResult result = decoder.decode(buffer, chars, true);
        if (!result.isError()) {
            result = decoder.flush(chars);
        }
        if (result.isError()) {
            throw new IllegalArgumentException("expected text in " + charset + ", found bytes that are none at index " + buffer.position());
        }
        return chars.flip().toString();
    }

    private static boolean contains(byte[] bytes, byte wanted) {
        for (byte b : bytes) {
            if (b == wanted) {
                return true;
            }
        }
        return false;
    }
}
