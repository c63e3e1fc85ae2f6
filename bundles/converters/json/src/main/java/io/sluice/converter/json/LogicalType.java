package io.sluice.converter.json;

import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.logical.Date;
import io.openmessaging.connector.api.data.logical.Decimal;
import io.openmessaging.connector.api.data.logical.Time;
import io.openmessaging.connector.api.data.logical.Timestamp;
import java.util.Arrays;
import java.util.Optional;

/** The types that have a name of their own in both worlds. A schema is one of them if both its name and its type say so. */
enum LogicalType {
    DECIMAL(FieldType.BYTES, Decimal.LOGICAL_NAME, "Decimal"),
    DATE(FieldType.INT32, Date.LOGICAL_NAME, "Date"),
    TIME(FieldType.INT32, Time.LOGICAL_NAME, "Time"),
    TIMESTAMP(FieldType.INT64, Timestamp.LOGICAL_NAME, "Timestamp");

    private final FieldType type;
    private final String name;
    private final String kafkaName;

    LogicalType(FieldType type, String name, String kafkaName) {
        this.type = type;
        this.name = name;
        this.kafkaName = "org.apache.kafka.connect.data." + kafkaName;
    }

    /** The name that OpenMessaging's schemas have. */
    String openMessagingName() {
        return name;
    }

    String kafkaName() {
        return kafkaName;
    }

    static Optional<LogicalType> of(FieldType type, String name) {
        return name == null ? Optional.empty() : Arrays.stream(values())
            .filter(logical -> logical.type == type && (logical.name.equals(name) || logical.kafkaName.equals(name))).findFirst();
    }
}
