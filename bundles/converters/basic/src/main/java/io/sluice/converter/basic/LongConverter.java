package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.FieldType;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import java.nio.ByteBuffer;

/** 64-bit integers in eight bytes, big-endian. */
@ConnectPlugin(name = "long", kind = PluginKind.CONVERTER, configuration = SideConfig.class,
    description = "64-bit integers in eight bytes, big-endian")
public class LongConverter extends NumberConverter<Long> {

    public LongConverter() {
        super(FieldType.INT64, Long.class, Long.BYTES, ByteBuffer::putLong, ByteBuffer::getLong);
    }
}
