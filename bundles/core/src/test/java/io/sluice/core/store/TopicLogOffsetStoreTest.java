package io.sluice.core.store;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The store over a topic of a real broker; every view has a folder of its own, as on a machine that is new. */
class TopicLogOffsetStoreTest extends LogOffsetStoreTest {

    private static TopicLogs logs;
    private final String topic = TopicLogs.newTopic();
    private int views;

    @BeforeAll
    static void connect() {
        logs = TopicLogs.shared();
    }

    @AfterAll
    static void disconnect() {
        logs.close();
    }

    @Override
    StoreLog log() {
        return logs.log(topic, folder.resolve(Integer.toString(views++)));
    }
}
