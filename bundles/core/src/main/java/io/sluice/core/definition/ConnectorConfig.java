package io.sluice.core.definition;

import io.sluice.core.plugin.PluginNeed;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.Config;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A connector's configuration, read: which plugins it needs in which role, and the settings of the runtime. References to secrets are
 * still references here.
 */
public final class ConnectorConfig {

    /** The roles that a plugin can have in a connector. The text is the key under which the plugin is named. */
    public static final String CONNECTOR = "connector.class";
    public static final String KEY_CONVERTER = "key.converter";
    public static final String VALUE_CONVERTER = "value.converter";

    private final Map<String, String> values;
    private final ConnectorKeys keys;

    private ConnectorConfig(Map<String, String> given) {
        this.values = Map.copyOf(Aliases.resolve(given));
        this.keys = Config.of(values, ConnectorKeys.class);
    }

    /** @throws IllegalArgumentException if a value does not fit its type; see {@link DefinitionCheck} for messages by key */
    public static ConnectorConfig of(Map<String, String> given) {
        return new ConnectorConfig(given);
    }

    /** Every key and value, foreign spellings replaced by ours. */
    public Map<String, String> values() {
        return values;
    }

    /** The plugins that must be there, by role: the key that names the plugin. */
    public Map<String, PluginNeed> needs() {
        Map<String, PluginNeed> needs = new LinkedHashMap<>();
        Optional<String> version = Optional.of(keys.connector_plugin_version()).filter(range -> !range.isBlank());
        needs.put(CONNECTOR, new PluginNeed(Set.of(PluginKind.SOURCE, PluginKind.SINK), name(CONNECTOR, ""), version));
        needs.put(KEY_CONVERTER, new PluginNeed(Set.of(PluginKind.CONVERTER), keys.key_converter().trim(), Optional.empty()));
        needs.put(VALUE_CONVERTER, new PluginNeed(Set.of(PluginKind.CONVERTER), keys.value_converter().trim(), Optional.empty()));
        for (String alias : keys.transforms()) {
            needs.put(transformRole(alias), new PluginNeed(Set.of(PluginKind.TRANSFORM), name(transformRole(alias), alias), Optional.empty()));
        }
        for (String alias : keys.predicates()) {
            needs.put(predicateRole(alias), new PluginNeed(Set.of(PluginKind.PREDICATE), name(predicateRole(alias), alias), Optional.empty()));
        }
        return needs;
    }

    private String name(String key, String otherwise) {
        return values.getOrDefault(key, otherwise).trim();
    }

    private static String transformRole(String alias) {
        return "transforms." + alias + ".type";
    }

    private static String predicateRole(String alias) {
        return "predicates." + alias + ".type";
    }

    /** One step of the transform chain. */
    public record TransformStep(String alias, String role, Map<String, String> config, Optional<PredicateStep> predicate, boolean negate) { }

    /** The predicate of a step. */
    public record PredicateStep(String role, Map<String, String> config) { }

    /** The transforms in order. @throws IllegalArgumentException if one refers to a predicate that is not in {@code predicates} */
    public List<TransformStep> transforms() {
        List<String> predicates = List.of(keys.predicates());
        List<TransformStep> steps = new ArrayList<>();
        for (String alias : keys.transforms()) {
            String prefix = "transforms." + alias + ".";
            Optional<String> predicate = Optional.ofNullable(values.get(prefix + "predicate")).filter(text -> !text.isBlank()).map(String::trim);
            predicate.filter(name -> !predicates.contains(name)).ifPresent(name -> {
                throw new IllegalArgumentException("'" + prefix + "predicate' names '" + name + "', which is not among 'predicates'; add it there");
            });
            steps.add(new TransformStep(alias, transformRole(alias), below(prefix, "type", "predicate", "negate"),
                predicate.map(name -> new PredicateStep(predicateRole(name), below("predicates." + name + ".", "type"))),
                Boolean.parseBoolean(values.getOrDefault(prefix + "negate", "false").trim())));
        }
        return steps;
    }

    /** The keys that begin with {@code prefix}, without it and without {@code except}. */
    public Map<String, String> below(String prefix, String... except) {
        Map<String, String> below = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                below.put(key.substring(prefix.length()), value);
            }
        });
        below.keySet().removeAll(List.of(except));
        return below;
    }

    public int tasksMax() {
        return keys.tasks_max();
    }

    public boolean tolerant() {
        return "all".equalsIgnoreCase(keys.errors_tolerance().trim());
    }

    /** For how long what may succeed later is tried again; empty for ever. */
    public Optional<Duration> retryTimeout() {
        return keys.errors_retry_timeout() < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(keys.errors_retry_timeout()));
    }

    public Duration retryDelayMax() {
        return Duration.ofMillis(keys.errors_retry_delay_max_ms());
    }

    public boolean logErrors() {
        return keys.errors_log_enable();
    }

    public boolean logRecords() {
        return keys.errors_log_include_messages();
    }

    public Optional<String> deadLetterTopic() {
        return Optional.of(keys.errors_deadletterqueue_topic_name().trim()).filter(topic -> !topic.isEmpty());
    }

    public boolean deadLetterContext() {
        return keys.errors_deadletterqueue_context_headers_enable();
    }

    public Duration offsetInterval() {
        return Duration.ofMillis(keys.offset_flush_interval_ms());
    }

    public Duration stopTimeout() {
        return Duration.ofMillis(keys.task_stop_timeout_ms());
    }

    /** The settings of a source. */
    public Source source() {
        SourceKeys source = Config.of(values, SourceKeys.class);
        return new Source(Optional.of(source.connect_topicname().trim()).filter(topic -> !topic.isEmpty()),
            source.topic_creation_default_partitions(), source.send_batch_max_bytes(), source.send_batch_max_records(),
            Duration.ofMillis(source.send_linger_ms()), source.send_in_flight_max_bytes());
    }

    /** The settings of a sink. */
    public Sink sink() {
        SinkKeys sink = Config.of(values, SinkKeys.class);
        return new Sink(List.of(sink.connect_topicnames()), "last".equalsIgnoreCase(sink.consume_from_where().trim()),
            sink.put_batch_max_records(), sink.read_ahead_max_bytes());
    }

    /** See {@link SourceKeys}. */
    public record Source(Optional<String> topic, int queuesOfNewTopics, int batchMaxBytes, int batchMaxRecords, Duration linger,
                         long inFlightMaxBytes) { }

    /** See {@link SinkKeys}. */
    public record Sink(List<String> topics, boolean fromLast, int putMaxRecords, long readAheadMaxBytes) { }
}
