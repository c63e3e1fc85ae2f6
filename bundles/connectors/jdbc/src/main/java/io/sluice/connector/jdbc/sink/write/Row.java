package io.sluice.connector.jdbc.sink.write;

import io.openmessaging.connector.api.data.ConnectRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A record on its way into a table.
 *
 * @param values one for each column of the plan, converted; null for SQL's NULL
 */
record Row(ConnectRecord record, RowPlan plan, Object[] values) {

    /** What tells the row from others of its table; only to be asked for if there is a key. */
    List<Object> key() {
        List<Object> key = new ArrayList<>(plan.keyCount());
        for (int i = 0; i < plan.keyCount(); i++) {
            key.add(values[i] instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : values[i]);
        }
        return key;
    }
}
