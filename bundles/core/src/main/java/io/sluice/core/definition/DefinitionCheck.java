package io.sluice.core.definition;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.connector.Connector;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.core.plugin.MetatypeDefinitions;
import io.sluice.core.plugin.PluginNeed;
import io.sluice.core.plugin.PluginRegistry;
import io.sluice.core.plugin.RegisteredPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.ConfigDefinition;
import io.sluice.spi.config.ConfigKey;
import io.sluice.spi.config.ConfigProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Checks a connector's configuration: the keys of the runtime, those of its plugins, and what the connector itself says. What a plugin that
 * is not there would say cannot be known; that is a warning, since the connector waits for it.
 */
public final class DefinitionCheck {

    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._-]([\\p{L}\\p{N} ._-]{0,98}[\\p{L}\\p{N}._-])?");
    private static final long PLUGIN_TIMEOUT_S = 10;

    private final PluginRegistry registry;
    private final ExecutorService pool;

    /** @param pool runs the connector's own validation, which may block */
    public DefinitionCheck(PluginRegistry registry, ExecutorService pool) {
        this.registry = registry;
        this.pool = pool;
    }

    /** What is wrong with the configuration of a connector of this name. */
    public List<ConfigProblem> check(String name, Map<String, String> given) {
        List<ConfigProblem> problems = new ArrayList<>();
        if (!NAME.matcher(name).matches()) {
            problems.add(ConfigProblem.error("name", name, "'name' cannot be '" + name
                + "'; it needs 1 to 100 letters, digits, dots, hyphens, underscores, or blanks inside"));
        }
        problems.addAll(check(given));
        return problems;
    }

    /** What is wrong with a configuration, whatever the connector's name. */
    public List<ConfigProblem> check(Map<String, String> given) {
        Map<String, String> config = Aliases.resolve(given);
        Optional<RegisteredPlugin> plugin = connectorPlugin(config);
        List<ConfigProblem> problems = new ArrayList<>(definition(plugin).validate(config));
        if (problems.stream().anyMatch(ConfigProblem::isError)) {
            return problems;
        }
        ConnectorConfig read = ConnectorConfig.of(config);
        checkChain(read, problems);
        if (plugin.isEmpty()) {
            problems.add(ConfigProblem.warning(ConnectorConfig.CONNECTOR, config.get(ConnectorConfig.CONNECTOR),
                "no installed plugin is called '" + config.get(ConnectorConfig.CONNECTOR) + "'; the connector will wait for it"));
            return problems;
        }
        if (plugin.get().info().kind() == PluginKind.SINK && read.sink().topics().isEmpty()) {
            problems.add(ConfigProblem.error("connect.topicnames", null, "'connect.topicnames' is missing; a sink needs at least one topic to read"));
        }
        checkUnknown(plugin.get(), read, problems);
        askConnector(plugin.get(), read, problems);
        return problems;
    }

    /** The plugin that {@code connector.class} names, if it is installed. */
    public Optional<RegisteredPlugin> connectorPlugin(Map<String, String> config) {
        String name = config.getOrDefault(ConnectorConfig.CONNECTOR, "").trim();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> version = Optional.ofNullable(config.get("connector.plugin.version")).filter(range -> !range.isBlank());
        return registry.find(new PluginNeed(java.util.Set.of(PluginKind.SOURCE, PluginKind.SINK), name, version));
    }

    /** The keys that a connector of this plugin has: those of the runtime first. */
    public static ConfigDefinition definition(Optional<RegisteredPlugin> plugin) {
        Map<String, ConfigKey> keys = new LinkedHashMap<>(MetatypeDefinitions.of(ConnectorKeys.class).keys());
        plugin.map(RegisteredPlugin::info).ifPresent(info -> {
            if (info.kind() == PluginKind.SOURCE) {
                keys.putAll(MetatypeDefinitions.of(SourceKeys.class).keys());
            } else if (info.kind() == PluginKind.SINK) {
                keys.putAll(MetatypeDefinitions.of(SinkKeys.class).keys());
            }
        });
        Optional<ConfigDefinition> own = plugin.map(found -> found.factory().configuration());
        own.ifPresent(definition -> keys.putAll(definition.keys()));
        return new ConfigDefinition(own.map(ConfigDefinition::title).orElse("Connector"), own.map(ConfigDefinition::description).orElse(""), keys);
    }

    private void checkChain(ConnectorConfig config, List<ConfigProblem> problems) {
        try {
            config.transforms();
        } catch (IllegalArgumentException e) {
            problems.add(ConfigProblem.error("transforms", config.values().get("transforms"), e.getMessage()));
            return;
        }
        config.needs().forEach((role, need) -> {
            if (role.equals(ConnectorConfig.CONNECTOR)) {
                return;
            }
            if (role.endsWith(".type") && !config.values().containsKey(role)) {
                problems.add(ConfigProblem.error(role, null, "'" + role + "' is missing; it says which plugin '" + need.name() + "' is"));
                return;
            }
            Optional<RegisteredPlugin> found = registry.find(need);
            if (found.isEmpty()) {
                problems.add(ConfigProblem.warning(role, need.name(),
                    "no installed plugin is called '" + need.name() + "'; the connector will wait for it"));
                return;
            }
            String prefix = role.endsWith(".type") ? role.substring(0, role.length() - "type".length()) : role + ".";
            found.get().factory().validate(config.below(prefix, "type", "predicate", "negate")).forEach(problem ->
                problems.add(new ConfigProblem(prefix + problem.key(), problem.value(), problem.message().replace("'" + problem.key() + "'",
                    "'" + prefix + problem.key() + "'"), problem.severity())));
        });
    }

    private static void checkUnknown(RegisteredPlugin plugin, ConnectorConfig config, List<ConfigProblem> problems) {
        if (plugin.factory().configuration().keys().isEmpty()) {
            return;
        }
        ConfigDefinition definition = definition(Optional.of(plugin));
        config.values().forEach((key, value) -> {
            boolean known = definition.keys().containsKey(key) || key.equals("name") || key.startsWith("transforms.") || key.startsWith("predicates.")
                || key.startsWith("key.converter.") || key.startsWith("value.converter.") || key.startsWith("connection.property.")
                || key.equals("max.tasks") || key.equals("topics");
            if (!known) {
                problems.add(ConfigProblem.warning(key, value, "'" + key + "' is not a key of this connector and has no effect"));
            }
        });
    }

    private void askConnector(RegisteredPlugin plugin, ConnectorConfig config, List<ConfigProblem> problems) {
        Map<String, String> values = config.values();
        problems.addAll(plugin.factory().validate(values).stream().filter(problem -> !known(problems, problem)).toList());
        if (problems.stream().anyMatch(ConfigProblem::isError)) {
            return;
        }
        KeyValue keyValue = new DefaultKeyValue();
        values.forEach(keyValue::put);
        Future<?> asked = pool.submit(() -> {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(plugin.factory().classLoader());
            try {
                ((Connector<?>) plugin.factory().create()).validate(keyValue);
            } finally {
                thread.setContextClassLoader(before);
            }
        });
        try {
            asked.get(PLUGIN_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            String why = e.getCause().getMessage() == null ? e.getCause().toString() : e.getCause().getMessage();
            problems.add(ConfigProblem.error(ConnectorConfig.CONNECTOR, values.get(ConnectorConfig.CONNECTOR), why));
        } catch (TimeoutException e) {
            asked.cancel(true);
            problems.add(ConfigProblem.warning(ConnectorConfig.CONNECTOR, values.get(ConnectorConfig.CONNECTOR),
                "the connector's own validation did not end within " + PLUGIN_TIMEOUT_S + " s and was given up"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean known(List<ConfigProblem> problems, ConfigProblem problem) {
        return problems.stream().anyMatch(other -> other.key().equals(problem.key()));
    }

    /** The values in force: as given, or the default of the definition. */
    public static Map<String, String> effective(ConfigDefinition definition, Map<String, String> given) {
        Map<String, String> values = new LinkedHashMap<>();
        definition.keys().values().forEach(key -> key.defaultValue().ifPresent(value -> values.put(key.name(), value)));
        values.putAll(Aliases.resolve(given));
        return values;
    }
}
