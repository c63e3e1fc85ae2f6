package io.sluice.connector.file.sink;

import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.data.logical.Date;
import io.openmessaging.connector.api.data.logical.Time;
import io.openmessaging.connector.api.errors.ConnectException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Writes values as JSON on one line. Numbers have all their digits; bytes are base64; dates, times and timestamps are ISO 8601 in UTC; NaN
 * and the infinities are strings; a map whose keys are no single values is a list of pairs.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8259">RFC 8259</a>
 */
final class JsonText {

    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private JsonText() {
    }

    /**
     * @param schema null if there is none
     * @throws ConnectException if a value is of a kind that JSON has no form for
     */
    static void write(StringBuilder out, Schema schema, Object value) {
        if (value == null) {
            out.append("null");
        } else if (value instanceof Struct struct) {
            writeStruct(out, struct);
        } else if (value instanceof Map<?, ?> map) {
            writeMap(out, schema, map);
        } else if (value instanceof Iterable<?> list) {
            writeList(out, schema == null ? null : schema.getValueSchema(), list.iterator());
        } else if (value instanceof Object[] array) {
            writeList(out, schema == null ? null : schema.getValueSchema(), Arrays.asList(array).iterator());
        } else if (isBare(value)) {
            out.append(single(schema, value));
        } else {
            writeString(out, single(schema, value));
        }
    }

    /** A value that has no parts, as text. */
    static String single(Schema schema, Object value) {
        if (value instanceof CharSequence || value instanceof Boolean || value instanceof Character) {
            return value.toString();
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.toPlainString();
        }
        if (value instanceof Number) {
            return value.toString();
        }
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
        if (value instanceof ByteBuffer buffer) {
            ByteBuffer bytes = Base64.getEncoder().encode(buffer.duplicate());
            return new String(bytes.array(), 0, bytes.limit(), java.nio.charset.StandardCharsets.ISO_8859_1);
        }
        if (value instanceof java.util.Date date) {
            return date(schema, date);
        }
        if (value instanceof java.time.temporal.Temporal || value instanceof Enum<?> || value instanceof java.util.UUID) {
            return value.toString();
        }
        throw new ConnectException("a value of " + value.getClass().getName() + " has no text form");
    }

    private static String date(Schema schema, java.util.Date date) {
        String logical = schema == null ? "" : String.valueOf(schema.getName());
        Instant instant = Instant.ofEpochMilli(date.getTime());
        return switch (logical) {
            case Date.LOGICAL_NAME -> instant.atZone(ZoneOffset.UTC).toLocalDate().toString();
            case Time.LOGICAL_NAME -> TIME.format(LocalTime.ofInstant(instant, ZoneOffset.UTC));
            default -> TIMESTAMP.format(instant);
        };
    }

    private static boolean isBare(Object value) {
        if (value instanceof Double number) {
            return Double.isFinite(number);
        }
        if (value instanceof Float number) {
            return Float.isFinite(number);
        }
        return value instanceof Number || value instanceof Boolean;
    }

    private static void writeStruct(StringBuilder out, Struct struct) {
        out.append('{');
        Object[] values = struct.getValues();
        List<Field> fields = struct.schema().getFields();
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            Object value = values[field.getIndex()];
            writeName(out, field.getName(), i == 0);
            write(out, field.getSchema(), value == null ? field.getSchema().getDefaultValue() : value);
        }
        out.append('}');
    }

    private static void writeMap(StringBuilder out, Schema schema, Map<?, ?> map) {
        Schema keys = schema == null ? null : schema.getKeySchema();
        Schema values = schema == null ? null : schema.getValueSchema();
        boolean named = map.keySet().stream().allMatch(key -> key instanceof CharSequence || key instanceof Number || key instanceof Boolean);
        boolean first = true;
        out.append(named ? '{' : '[');
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (named) {
                writeName(out, single(keys, entry.getKey()), first);
                write(out, values, entry.getValue());
            } else {
                out.append(first ? "[" : ",[");
                write(out, keys, entry.getKey());
                out.append(',');
                write(out, values, entry.getValue());
                out.append(']');
            }
            first = false;
        }
        out.append(named ? '}' : ']');
    }

    private static void writeList(StringBuilder out, Schema elements, Iterator<?> list) {
        out.append('[');
        for (boolean first = true; list.hasNext(); first = false) {
            if (!first) {
                out.append(',');
            }
            write(out, elements, list.next());
        }
        out.append(']');
    }

    private static void writeName(StringBuilder out, String name, boolean first) {
        if (!first) {
            out.append(',');
        }
        writeString(out, name);
        out.append(':');
    }

    static void writeString(StringBuilder out, String text) {
        out.append('"');
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (needsEscape(text, i, c)) {
                out.append(text, from, i).append('\\');
                from = i + 1;
                switch (c) {
                    case '"', '\\' -> out.append(c);
                    case '\n' -> out.append('n');
                    case '\r' -> out.append('r');
                    case '\t' -> out.append('t');
                    default -> out.append('u').append(HEX[c >> 12]).append(HEX[c >> 8 & 15]).append(HEX[c >> 4 & 15]).append(HEX[c & 15]);
                }
            }
        }
        out.append(text, from, text.length()).append('"');
    }

    /** U+0085 and the two separators end lines for some readers; a surrogate without its other half has no UTF-8 form. */
    private static boolean needsEscape(String text, int i, char c) {
        return c < 0x20 || c == '"' || c == '\\' || c == 0x85 || c == 0x2028 || c == 0x2029 || Character.isSurrogate(c) && !isPaired(text, i);
    }

    private static boolean isPaired(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
            ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
            : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}
