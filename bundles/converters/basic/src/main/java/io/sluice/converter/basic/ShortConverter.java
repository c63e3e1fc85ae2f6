package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.FieldType;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import java.nio.ByteBuffer;

/** 16-bit integers in two bytes, big-endian. */
@ConnectPlugin(name = "short", kind = PluginKind.CONVERTER, configuration = SideConfig.class,
    description = "16-bit integers in two bytes, big-endian")
public class ShortConverter extends NumberConverter<Short> {

    public ShortConverter() {
        super(FieldType.INT16, Short.class, Short.BYTES, ByteBuffer::putShort, ByteBuffer::getShort);
    }
}
