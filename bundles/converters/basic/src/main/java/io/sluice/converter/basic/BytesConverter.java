package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.FieldType;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import java.nio.ByteBuffer;

/** Bytes as they are; nothing but byte arrays and byte buffers can be written. */
@ConnectPlugin(name = "bytes", kind = PluginKind.CONVERTER, configuration = SideConfig.class,
    description = "Bytes as they are")
public class BytesConverter extends SingleValueConverter {

    public BytesConverter() {
        super(FieldType.BYTES);
    }

    @Override
    byte[] encode(Object value) {
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        if (value instanceof ByteBuffer buffer) {
            // The buffer's position belongs to whoever made the record; it may be converted again after a failed send.
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        }
        throw new IllegalArgumentException("expected a byte array or a byte buffer, found a " + value.getClass().getName());
    }

    @Override
    Object decode(byte[] bytes) {
        return bytes;
    }
}
