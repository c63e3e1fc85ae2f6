package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.RecordConverter;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaAndValue;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.config.Config;
import java.util.Map;

/**
 * A converter of single values of one type: null is null in both directions, and what is read has an optional schema of that type.
 *
 * <p>Instances may be used by several threads once they are configured.
 */
abstract class SingleValueConverter implements RecordConverter {

    private final Schema schema;
    private String side = "value";

    SingleValueConverter(FieldType type) {
        this.schema = new Schema(null, type, true, null, null, null, null, null, null, null);
    }

    @Override
    public void configure(Map<String, ?> configs) {
        side = Config.of(configs, SideConfig.class).isKey() ? "key" : "value";
    }

    @Override
    public final byte[] fromConnectData(String topic, Schema given, Object value) {
        if (value == null) {
            return null;
        }
        try {
            return encode(value);
        } catch (IllegalArgumentException e) {
            throw failure(topic, e);
        }
    }

    @Override
    public final SchemaAndValue toConnectData(String topic, byte[] bytes) {
        if (bytes == null) {
            return new SchemaAndValue(schema, null);
        }
        try {
            return new SchemaAndValue(schema, decode(bytes));
        } catch (IllegalArgumentException e) {
            throw failure(topic, e);
        }
    }

    /**
     * @param value not null
     * @throws IllegalArgumentException if the value cannot be written; the message says what was expected
     */
    abstract byte[] encode(Object value);

    /**
     * @param bytes not null
     * @throws IllegalArgumentException if the bytes do not hold such a value; the message says what was expected
     */
    abstract Object decode(byte[] bytes);

    private ConnectException failure(String topic, IllegalArgumentException cause) {
        return new ConnectException("topic '" + topic + "', " + side + ": " + cause.getMessage(), cause);
    }
}
