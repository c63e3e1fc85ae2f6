package io.sluice.transforms.record;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Schema;

/** The side of a record that a transform works on. Records are never changed in place: whoever sent one may still need it. */
public enum Side {
    KEY {
        @Override
        public Schema schema(ConnectRecord record) {
            return record.getKeySchema();
        }

        @Override
        public Object value(ConnectRecord record) {
            return record.getKey();
        }

        @Override
        public ConnectRecord with(ConnectRecord record, Schema schema, Object value) {
            return Records.copy(record, schema, value, record.getSchema(), record.getData());
        }
    },
    VALUE {
        @Override
        public Schema schema(ConnectRecord record) {
            return record.getSchema();
        }

        @Override
        public Object value(ConnectRecord record) {
            return record.getData();
        }

        @Override
        public ConnectRecord with(ConnectRecord record, Schema schema, Object value) {
            return Records.copy(record, record.getKeySchema(), record.getKey(), schema, value);
        }
    };

    /** The schema of this side; null if it has none. */
    public abstract Schema schema(ConnectRecord record);

    /** What is on this side; may be null. */
    public abstract Object value(ConnectRecord record);

    /** A record that differs from {@code record} on this side only. */
    public abstract ConnectRecord with(ConnectRecord record, Schema schema, Object value);
}
