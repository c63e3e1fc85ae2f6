package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.FieldType;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A converter of numbers of one type and size, in the big-endian bytes that Kafka's serializers write. Numbers of another type are
 * refused, not rounded or widened: who reads the topic relies on the size.
 *
 * @param <T> the Java type of the number
 */
abstract class NumberConverter<T> extends SingleValueConverter {

    private final Class<T> type;
    private final int size;
    private final BiConsumer<ByteBuffer, T> writer;
    private final Function<ByteBuffer, T> reader;

    NumberConverter(FieldType fieldType, Class<T> type, int size, BiConsumer<ByteBuffer, T> writer, Function<ByteBuffer, T> reader) {
        super(fieldType);
        this.type = type;
        this.size = size;
        this.writer = writer;
        this.reader = reader;
    }

    @Override
    byte[] encode(Object value) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("expected a " + type.getName() + ", found a " + value.getClass().getName());
        }
        ByteBuffer buffer = ByteBuffer.allocate(size);
        writer.accept(buffer, type.cast(value));
        return buffer.array();
    }

    @Override
    Object decode(byte[] bytes) {
        if (bytes.length != size) {
            throw new IllegalArgumentException("expected a " + type.getName() + " in " + size + (size == 1 ? " byte" : " bytes")
                + ", found " + bytes.length);
        }
        return reader.apply(ByteBuffer.wrap(bytes));
    }
}
