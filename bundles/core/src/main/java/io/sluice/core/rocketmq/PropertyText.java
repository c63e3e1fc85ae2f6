package io.sluice.core.rocketmq;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.rocketmq.common.message.MessageDecoder;

/**
 * Text in message properties. RocketMQ separates properties by the control characters 1 and 2 and silently drops them, and drops empty
 * values; half a surrogate pair has no UTF-8. Texts with any of these are percent-encoded as a whole; a lone {@code %} stands for the empty
 * text. All others stay as they are, so that everybody can read them.
 */
final class PropertyText {

    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final String EMPTY = "%";

    private PropertyText() {
    }

    /** True if the text would not survive as it is. */
    static boolean needsEncoding(String text) {
        if (text.isEmpty()) {
            return true;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == MessageDecoder.NAME_VALUE_SEPARATOR || c == MessageDecoder.PROPERTY_SEPARATOR || isHalf(text, i)) {
                return true;
            }
        }
        return false;
    }

    /** The same for a property's name, which must not be taken for an encoded one, and must fit into a list of them. */
    static boolean needsEncodingAsName(String name) {
        return name.indexOf('%') >= 0 || name.indexOf(',') >= 0 || needsEncoding(name);
    }

    /** True for half a surrogate pair without the other half. */
    private static boolean isHalf(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }

    static String encode(String text) {
        if (text.isEmpty()) {
            return EMPTY;
        }
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isHalf(text, i)) {
                encoded.append("%u").append(HEX.toHexDigits((short) c));
            } else if (c <= 0x20 || c == 0x7f || c == '%' || c == ',') {
                encoded.append('%').append(HEX.toHexDigits((byte) c));
            } else {
                encoded.append(c);
            }
        }
        return encoded.toString();
    }

    static String decode(String text) {
        if (text.equals(EMPTY)) {
            return "";
        }
        StringBuilder decoded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '%') {
                decoded.append(c);
            } else if (text.charAt(i + 1) == 'u') {
                decoded.append((char) HexFormat.fromHexDigits(text, i + 2, i + 6));
                i += 5;
            } else {
                decoded.append((char) HexFormat.fromHexDigits(text, i + 1, i + 3));
                i += 2;
            }
        }
        return decoded.toString();
    }

    /** The key as text if people can read it: UTF-8 without blanks and control characters; null if not. */
    static String printable(byte[] key) {
        if (key.length == 0 || key.length > 200) {
            return null;
        }
        String text = new String(key, StandardCharsets.UTF_8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= 0x20 || c == 0x7f || c == '\uFFFD' || Character.isSurrogate(c) || Character.isWhitespace(c)) {
                return null;
            }
        }
        return text;
    }

    /** How many bytes a property takes in a message. */
    static int size(String name, String value) {
        return utf8Length(name) + utf8Length(value) + 2;
    }

    private static int utf8Length(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return text.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return text.length();
    }
}
