package io.sluice.broker.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * How a broker is started; see {@link BrokerKeys}.
 *
 * @param java the executable
 * @param folder where the broker keeps its files
 * @param lib where its jars are
 */
record BrokerSettings(Path java, Path folder, Path lib, int namesrvPort, int brokerPort, int heapMb, int fileMb, int retentionHours,
                      List<String> javaOptions) {

    BrokerSettings {
        Objects.requireNonNull(java, "java");
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(lib, "lib");
        javaOptions = List.copyOf(javaOptions);
    }

    String namesrvAddr() {
        return "127.0.0.1:" + namesrvPort;
    }
}
