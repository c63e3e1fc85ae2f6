package io.sluice.core.worker;

/** Where a record was when something went wrong; the names are those that Kafka Connect's users know from dead-letter headers. */
enum Stage {
    TRANSFORMATION("applying the transforms"),
    KEY_CONVERTER("converting the key"),
    VALUE_CONVERTER("converting the value"),
    SEND("sending to RocketMQ"),
    TASK_PUT("putting into the sink");

    private final String doing;

    Stage(String doing) {
        this.doing = doing;
    }

    String doing() {
        return doing;
    }
}
