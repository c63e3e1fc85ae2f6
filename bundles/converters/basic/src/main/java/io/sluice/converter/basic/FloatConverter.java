package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.FieldType;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import java.nio.ByteBuffer;

/** 32-bit IEEE 754 numbers in four bytes, big-endian. */
@ConnectPlugin(name = "float", kind = PluginKind.CONVERTER, configuration = SideConfig.class,
    description = "32-bit IEEE 754 numbers in four bytes, big-endian")
public class FloatConverter extends NumberConverter<Float> {

    public FloatConverter() {
        super(FieldType.FLOAT32, Float.class, Float.BYTES, ByteBuffer::putFloat, ByteBuffer::getFloat);
    }
}
