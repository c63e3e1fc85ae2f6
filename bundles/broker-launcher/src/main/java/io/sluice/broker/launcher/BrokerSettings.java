package io.sluice.broker.launcher;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;

/**
 * What a broker is started with.
 *
 * @param folder where all its files are
 * @param namesrvPort the name server's port
 * @param brokerPort the broker's port; two below it is its second one
 * @param haPort the port for replicas, which there are none of
 * @param fileBytes the size of one file of messages
 * @param retentionHours how long messages are kept
 */
public record BrokerSettings(Path folder, int namesrvPort, int brokerPort, int haPort, int fileBytes, int retentionHours) {

    public BrokerSettings {
        Objects.requireNonNull(folder, "folder");
    }

    /** Reads the form in which they are handed over. */
    public static BrokerSettings of(Properties properties) {
        return new BrokerSettings(Path.of(properties.getProperty("folder")), number(properties, "namesrv.port"), number(properties, "broker.port"),
            number(properties, "ha.port"), number(properties, "file.bytes"), number(properties, "retention.hours"));
    }

    private static int number(Properties properties, String key) {
        return Integer.parseInt(Objects.requireNonNull(properties.getProperty(key), key).trim());
    }
}
