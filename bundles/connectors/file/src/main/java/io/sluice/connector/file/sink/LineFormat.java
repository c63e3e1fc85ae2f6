package io.sluice.connector.file.sink;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Map;

/** Turns the value of a record into the bytes of a line, without its separator. Used by one thread at a time. */
final class LineFormat {

    private final boolean json;
    private final boolean escape;
    private final Charset charset;
    private final StringBuilder text = new StringBuilder();

    LineFormat(SinkOptions options) {
        json = options.json();
        escape = options.escape();
        charset = options.encoding().charset();
    }

    /** @throws io.openmessaging.connector.api.errors.ConnectException if the value has no text form */
    byte[] line(ConnectRecord record) {
        Object value = record.getData();
        if (!json) {
            if (value instanceof String string) {
                return (escape ? escaped(string) : string).getBytes(charset);
            }
            if (value instanceof byte[] bytes) {
                return bytes;
            }
            if (value instanceof ByteBuffer buffer) {
                byte[] bytes = new byte[buffer.remaining()];
                buffer.duplicate().get(bytes);
                return bytes;
            }
            if (value == null) {
                return new byte[0];
            }
            if (!(value instanceof Struct || value instanceof Map || value instanceof Iterable || value instanceof Object[])) {
                return JsonText.single(record.getSchema(), value).getBytes(charset);
            }
        }
        return jsonLine(record.getSchema(), value);
    }

    private byte[] jsonLine(Schema schema, Object value) {
        text.setLength(0);
        JsonText.write(text, schema, value);
        byte[] line = text.toString().getBytes(charset);
        if (text.capacity() > 1 << 20) {
            text.setLength(0);
            text.trimToSize();
        }
        return line;
    }

    private String escaped(String string) {
        if (string.indexOf('\n') < 0 && string.indexOf('\r') < 0 && string.indexOf('\\') < 0) {
            return string;
        }
        return string.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }
}
