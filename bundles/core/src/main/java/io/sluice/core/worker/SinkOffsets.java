package io.sluice.core.worker;

import io.sluice.core.definition.ConnectorConfig;
import io.sluice.core.rocketmq.RocketMq;
import io.sluice.core.rocketmq.RocketMqException;
import io.sluice.runtime.ErrorCode;
import io.sluice.runtime.OffsetInfo;
import io.sluice.runtime.SluiceException;
import io.sluice.spi.RecordNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageQueue;

/** The committed offsets of sink connectors, as their consumer groups hold them. */
public final class SinkOffsets {

    private final WorkerContext worker;

    public SinkOffsets(WorkerContext worker) {
        this.worker = worker;
    }

    /** The offsets of a sink, by queue. @throws SluiceException STORE_UNAVAILABLE if RocketMQ cannot be reached */
    public List<OffsetInfo> of(String connector, ConnectorConfig config) {
        RocketMq rocketMq = worker.rocketMq().get().orElseThrow(() ->
            new SluiceException(ErrorCode.STORE_UNAVAILABLE, worker.rocketMqMissing().get()));
        try {
            List<MessageQueue> queues = new ArrayList<>();
            for (String topic : config.sink().topics()) {
                queues.addAll(rocketMq.queues(worker.wire().topic(topic)));
            }
            List<OffsetInfo> offsets = new ArrayList<>();
            rocketMq.committed(SinkTaskRunner.groupOf(connector), queues).forEach((queue, offset) -> offsets.add(new OffsetInfo(
                Map.of(RecordNames.TOPIC, queue.getTopic(), RecordNames.BROKER_NAME, queue.getBrokerName(), RecordNames.QUEUE_ID, queue.getQueueId()),
                Map.of(RecordNames.QUEUE_OFFSET, offset))));
            return offsets;
        } catch (RocketMqException e) {
            throw new SluiceException(ErrorCode.STORE_UNAVAILABLE, "cannot read the offsets of connector '" + connector + "': " + e.getMessage(), e);
        }
    }
}
