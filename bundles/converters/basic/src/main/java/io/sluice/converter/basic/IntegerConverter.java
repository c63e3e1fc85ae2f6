package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.FieldType;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import java.nio.ByteBuffer;

/** 32-bit integers in four bytes, big-endian. */
@ConnectPlugin(name = "int", kind = PluginKind.CONVERTER, configuration = SideConfig.class,
    description = "32-bit integers in four bytes, big-endian")
public class IntegerConverter extends NumberConverter<Integer> {

    public IntegerConverter() {
        super(FieldType.INT32, Integer.class, Integer.BYTES, ByteBuffer::putInt, ByteBuffer::getInt);
    }
}
