package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.SchemaBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Texts and bytes, none longer than allowed; LOBs are read as streams and no further than that. */
final class Large {

    private static final int MOST_UTF8_BYTES = 4;
    private static final int BUFFER = 8_192;

    private final int maxBytes;
    private final boolean nullIfTooLarge;
    private final boolean trim;

    Large(MappingOptions options) {
        maxBytes = options.lobMaxBytes();
        nullIfTooLarge = options.lobTooLargeIsNull();
        trim = options.trimChars();
    }

    /** A value that the driver gives at once. @param schema a string's */
    ColumnMapping text(SchemaBuilder schema, ColumnInfo info) {
        return ColumnMapping.of(schema, nullable(info), (row, column) -> text(row.getString(column)));
    }

    /** A CHAR: padded, unless the user wants it trimmed. */
    ColumnMapping padded(ColumnInfo info) {
        if (!trim) {
            return text(SchemaBuilder.string(), info);
        }
        return ColumnMapping.of(SchemaBuilder.string(), nullable(info), (row, column) -> {
            String value = text(row.getString(column));
            return value == null ? null : value.stripTrailing();
        });
    }

    ColumnMapping bytes(ColumnInfo info) {
        return ColumnMapping.of(SchemaBuilder.bytes(), nullable(info), (row, column) -> bytes(row.getBytes(column)));
    }

    ColumnMapping clob(ColumnInfo info) {
        return ColumnMapping.of(SchemaBuilder.string(), nullable(info), this::readClob);
    }

    ColumnMapping blob(ColumnInfo info) {
        return ColumnMapping.of(SchemaBuilder.bytes(), nullable(info), this::readBlob);
    }

    /** A value that is left out makes a column nullable which the database says is not. */
    private boolean nullable(ColumnInfo info) {
        boolean mayBeTooLarge = info.precision() <= 0 || info.precision() > maxBytes / MOST_UTF8_BYTES;
        return info.nullable() || nullIfTooLarge && mayBeTooLarge;
    }

    String text(String value) {
        return value == null || fits(value) ? value : tooLarge(value.length() + " characters");
    }

    byte[] bytes(byte[] value) {
        return value == null || value.length <= maxBytes ? value : tooLarge(value.length + " bytes");
    }

    private boolean fits(String value) {
        return value.length() <= maxBytes / MOST_UTF8_BYTES || value.length() <= maxBytes && utf8Length(value) <= maxBytes;
    }

    private static long utf8Length(String value) {
        long length = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            // The two halves of a pair make four bytes together.
            length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return length;
    }

    /** Null if that is what becomes of such values. */
    private <T> T tooLarge(String size) {
        if (nullIfTooLarge) {
            return null;
        }
        throw new ValueProblem("a value of " + size + " is larger than the " + maxBytes
            + " bytes of 'lob.max.bytes'; raise it, leave the column out by a 'query', or set 'lob.too.large' to null");
    }

    private String readClob(ResultSet row, int column) throws SQLException {
        try (Reader reader = row.getCharacterStream(column)) {
            if (reader == null) {
                return null;
            }
            StringBuilder text = new StringBuilder();
            char[] buffer = new char[BUFFER];
            int read;
            while ((read = reader.read(buffer)) >= 0) {
                text.append(buffer, 0, read);
                if (text.length() > maxBytes) {
                    return tooLarge("more than " + maxBytes + " characters");
                }
            }
            return text(text.toString());
        } catch (IOException e) {
            throw new SQLException("cannot read a large text: " + e.getMessage(), e);
        }
    }

    private byte[] readBlob(ResultSet row, int column) throws SQLException {
        try (InputStream stream = row.getBinaryStream(column)) {
            if (stream == null) {
                return null;
            }
            byte[] bytes = stream.readNBytes(maxBytes + 1);
            return bytes.length <= maxBytes ? bytes : tooLarge("more than " + maxBytes + " bytes");
        } catch (IOException e) {
            throw new SQLException("cannot read a large object: " + e.getMessage(), e);
        }
    }
}
