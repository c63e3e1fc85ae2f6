package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.FieldType;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import java.nio.ByteBuffer;

/** Truth values in one byte: 1 is true, 0 is false, anything else is refused. */
@ConnectPlugin(name = "boolean", kind = PluginKind.CONVERTER, configuration = SideConfig.class,
    description = "Truth values in one byte, 1 or 0")
public class BooleanConverter extends NumberConverter<Boolean> {

    public BooleanConverter() {
        super(FieldType.BOOLEAN, Boolean.class, 1, (buffer, value) -> buffer.put((byte) (value ? 1 : 0)), BooleanConverter::read);
    }

    private static Boolean read(ByteBuffer buffer) {
        byte value = buffer.get();
        if (value != 0 && value != 1) {
            throw new IllegalArgumentException("expected 1 for true or 0 for false, found " + value);
        }
        return value == 1;
    }
}
