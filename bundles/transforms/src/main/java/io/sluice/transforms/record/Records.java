package io.sluice.transforms.record;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.internal.DefaultKeyValue;

/** Copies of records. */
public final class Records {

    private Records() {
    }

    /** A record with another key and value; the rest is shared with {@code record}, extensions included. */
    public static ConnectRecord copy(ConnectRecord record, Schema keySchema, Object key, Schema schema, Object value) {
        ConnectRecord copy = new ConnectRecord(null, null, record.getTimestamp(), keySchema, key, schema, value);
        copy.setPosition(record.getPosition());
        copy.setExtensions(record.getExtensions());
        return copy;
    }

    /** A record with one extension more, or another value of it. */
    public static ConnectRecord withExtension(ConnectRecord record, String name, String value) {
        ConnectRecord copy = copy(record, record.getKeySchema(), record.getKey(), record.getSchema(), record.getData());
        KeyValue extensions = new DefaultKeyValue();
        if (record.getExtensions() != null) {
            record.getExtensions().keySet().forEach(key -> extensions.put(key, record.getExtensions().getString(key)));
        }
        extensions.put(name, value);
        copy.setExtensions(extensions);
        return copy;
    }
}
