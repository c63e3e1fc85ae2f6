package io.sluice.core.rocketmq;

import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.filter.ExpressionType;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.sysflag.PullSysFlag;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.header.PullMessageRequestHeader;

/**
 * What a broker has answered to a pull.
 *
 * @param outcome what it means
 * @param next the offset to pull next
 * @param least the oldest offset of the queue
 * @param end the offset behind the newest message of the queue
 * @param broker the member of the broker's set that it proposes to ask next
 * @param offsetDelta to be added to the offsets in the messages
 * @param messages as they are stored; only if some were found
 */
record Pull(Outcome outcome, long next, long least, long end, long broker, long offsetDelta, byte[] messages) {

    enum Outcome { FOUND, NOTHING, MOVED, FAILED }

    /** How long the broker waits for messages before it says that there are none. */
    static final long LONG_POLL_MS = 20_000;
    /** The most that is asked for at once; the broker gives what its own limits allow. */
    private static final int MOST_RECORDS = 1_024;
    private static final int FLAGS = PullSysFlag.buildSysFlag(false, false, true, false);
    private static final int WAITING_FLAGS = PullSysFlag.buildSysFlag(false, true, true, false);

    static RemotingCommand request(String group, MessageQueue queue, long from) {
        return request(group, queue, from, LONG_POLL_MS);
    }

    /** @param waitMs how long the broker waits for messages if there are none; it looks at its clock every five seconds only */
    static RemotingCommand request(String group, MessageQueue queue, long from, long waitMs) {
        PullMessageRequestHeader header = new PullMessageRequestHeader();
        header.setConsumerGroup(group);
        header.setTopic(queue.getTopic());
        header.setQueueId(queue.getQueueId());
        header.setQueueOffset(from);
        header.setMaxMsgNums(MOST_RECORDS);
        header.setSysFlag(waitMs > 0 ? WAITING_FLAGS : FLAGS);
        header.setCommitOffset(0L);
        header.setSuspendTimeoutMillis(waitMs);
        header.setSubscription("*");
        header.setSubVersion(0L);
        header.setExpressionType(ExpressionType.TAG);
        header.setBrokerName(queue.getBrokerName());
        return RemotingCommand.createRequestCommand(RequestCode.PULL_MESSAGE, header);
    }

    static Pull of(RemotingCommand response, long from) {
        Outcome outcome = switch (response.getCode()) {
            case ResponseCode.SUCCESS -> Outcome.FOUND;
            case ResponseCode.PULL_NOT_FOUND, ResponseCode.PULL_RETRY_IMMEDIATELY -> Outcome.NOTHING;
            case ResponseCode.PULL_OFFSET_MOVED -> Outcome.MOVED;
            default -> Outcome.FAILED;
        };
        return new Pull(outcome, number(response, "nextBeginOffset", from), number(response, "minOffset", 0), number(response, "maxOffset", 0),
            number(response, "suggestWhichBrokerId", MixAll.MASTER_ID), number(response, "offsetDelta", 0), response.getBody());
    }

    private static long number(RemotingCommand response, String name, long ifMissing) {
        String value = response.getExtFields() == null ? null : response.getExtFields().get(name);
        return value == null ? ifMissing : Long.parseLong(value);
    }
}
