package io.sluice.spi;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a plugin is. Each kind names the OpenMessaging type that its instances have. */
public enum PluginKind {
    /** An {@code io.openmessaging.connector.api.component.task.source.SourceConnector}. */
    SOURCE,
    /** An {@code io.openmessaging.connector.api.component.task.sink.SinkConnector}. */
    SINK,
    /** An {@code io.openmessaging.connector.api.component.Transform}. */
    TRANSFORM,
    /** A {@link Predicate}. */
    PREDICATE,
    /** An {@code io.openmessaging.connector.api.data.RecordConverter}. */
    CONVERTER;

    /** The word used in service properties, capabilities, REST and shell: the name in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** True for the two kinds that a connector's {@code connector.class} may name. */
    public boolean isConnector() {
        return this == SOURCE || this == SINK;
    }

    /** The kind that {@code word} stands for, in any case; empty when there is none. */
    public static Optional<PluginKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equalsIgnoreCase(word)).findFirst();
    }
}
