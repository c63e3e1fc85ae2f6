package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.FieldType;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import java.nio.ByteBuffer;

/** 64-bit IEEE 754 numbers in eight bytes, big-endian. */
@ConnectPlugin(name = "double", kind = PluginKind.CONVERTER, configuration = SideConfig.class,
    description = "64-bit IEEE 754 numbers in eight bytes, big-endian")
public class DoubleConverter extends NumberConverter<Double> {

    public DoubleConverter() {
        super(FieldType.FLOAT64, Double.class, Double.BYTES, ByteBuffer::putDouble, ByteBuffer::getDouble);
    }
}
