package io.sluice.connector.file.text;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How the bytes of one file stand for characters.
 *
 * @param charset decodes the bytes behind the byte order mark; never one that looks for a mark itself
 * @param unit the width of the unit in which a line end is looked for: 1 byte, 2 for UTF-16, 4 for UTF-32
 * @param markLength the length of the file's byte order mark in bytes; 0 if it has none
 */
public record TextEncoding(Charset charset, int unit, int markLength) {

    private record Mark(byte[] bytes, Charset charset) {
        boolean startsWith(byte[] head, int length) {
            return Arrays.equals(bytes, 0, length, head, 0, length);
        }
    }

    private static final Charset UTF_32BE = Charset.forName("UTF-32BE");
    private static final Charset UTF_32LE = Charset.forName("UTF-32LE");
    private static final Mark UTF_8_MARK = new Mark(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}, StandardCharsets.UTF_8);
    private static final Mark UTF_16BE_MARK = new Mark(new byte[] {(byte) 0xFE, (byte) 0xFF}, StandardCharsets.UTF_16BE);
    private static final Mark UTF_16LE_MARK = new Mark(new byte[] {(byte) 0xFF, (byte) 0xFE}, StandardCharsets.UTF_16LE);
    private static final Mark UTF_32BE_MARK = new Mark(new byte[] {0, 0, (byte) 0xFE, (byte) 0xFF}, UTF_32BE);
    private static final Mark UTF_32LE_MARK = new Mark(new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 0}, UTF_32LE);

    /**
     * The encoding of a file, told from what is configured and from its first bytes.
     *
     * @param head holds at least the first four bytes of the file, or all if it has fewer
     * @param length how many bytes of {@code head} count
     */
    public static TextEncoding of(Charset configured, byte[] head, int length) {
        for (Mark mark : marks(configured)) {
            if (length >= mark.bytes.length && mark.startsWith(head, mark.bytes.length)) {
                return new TextEncoding(mark.charset, unit(configured), mark.bytes.length);
            }
        }
        return new TextEncoding(withoutMark(configured), unit(configured), 0);
    }

    /** True if a file that begins with these bytes and has no more may still turn out to begin with a byte order mark. */
    public static boolean undecided(Charset configured, byte[] head, int length) {
        return marks(configured).stream().anyMatch(mark -> length < mark.bytes.length && mark.startsWith(head, length));
    }

    /** Why a charset of this name cannot be read or written line by line; empty if it can. */
    public static Optional<String> refusal(String name) {
        try {
            Charset charset = Charset.forName(name);
            boolean narrow = charset.canEncode() && "\n".getBytes(charset).length == 1 && "\r".getBytes(charset).length == 1;
            return narrow || unit(charset) > 1 ? Optional.empty() : Optional.of("line ends cannot be told from other bytes in it");
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return Optional.of("this Java runtime does not know it");
        }
    }

    /** The bytes that must stand at the beginning of a new file; only the charsets whose name asks for a mark have one. */
    public static byte[] markToWrite(Charset configured) {
        return switch (configured.name().toUpperCase(java.util.Locale.ROOT)) {
            case "UTF-16" -> UTF_16BE_MARK.bytes.clone();
            case "X-UTF-16LE-BOM" -> UTF_16LE_MARK.bytes.clone();
            case "X-UTF-32BE-BOM" -> UTF_32BE_MARK.bytes.clone();
            case "X-UTF-32LE-BOM" -> UTF_32LE_MARK.bytes.clone();
            default -> new byte[0];
        };
    }

    /** The bytes of {@code characters}, without a mark. */
    public byte[] encode(String characters) {
        return characters.getBytes(charset);
    }

    private static List<Mark> marks(Charset charset) {
        return switch (charset.name().toUpperCase(java.util.Locale.ROOT)) {
            case "UTF-8" -> List.of(UTF_8_MARK);
            case "UTF-16" -> List.of(UTF_16BE_MARK, UTF_16LE_MARK);
            case "UTF-16BE" -> List.of(UTF_16BE_MARK);
            case "UTF-16LE", "X-UTF-16LE-BOM" -> List.of(UTF_16LE_MARK);
            case "UTF-32" -> List.of(UTF_32BE_MARK, UTF_32LE_MARK);
            case "UTF-32BE", "X-UTF-32BE-BOM" -> List.of(UTF_32BE_MARK);
            case "UTF-32LE", "X-UTF-32LE-BOM" -> List.of(UTF_32LE_MARK);
            default -> List.of();
        };
    }

    private static Charset withoutMark(Charset charset) {
        List<Mark> marks = marks(charset);
        return marks.isEmpty() ? charset : marks.get(0).charset;
    }

    private static int unit(Charset charset) {
        String name = charset.name().toUpperCase(java.util.Locale.ROOT);
        if (name.contains("UTF-16")) {
            return 2;
        }
        return name.contains("UTF-32") ? 4 : 1;
    }
}
