package io.sluice.core.rocketmq;

import io.sluice.core.rocketmq.testing.TestBroker;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.tools.admin.DefaultMQAdminExt;

/** RocketMQ's own tools, to see what they see. */
final class Admin {

    interface Task<T> {
        T run(DefaultMQAdminExt admin) throws Exception;
    }

    private Admin() {
    }

    static <T> T with(TestBroker broker, Task<T> task) throws Exception {
        DefaultMQAdminExt admin = new DefaultMQAdminExt();
        admin.setNamesrvAddr(broker.namesrvAddr());
        admin.setInstanceName("admin-" + System.nanoTime());
        admin.start();
        try {
            return task.run(admin);
        } finally {
            admin.shutdown();
        }
    }

    static void setQueues(TestBroker broker, String topic, int queues) throws Exception {
        with(broker, admin -> {
            String address = admin.examineBrokerClusterInfo().getBrokerAddrTable().get(broker.brokerName()).getBrokerAddrs().get(0L);
            admin.createAndUpdateTopicConfig(address, new TopicConfig(topic, queues, queues, 6));
            return null;
        });
    }
}
