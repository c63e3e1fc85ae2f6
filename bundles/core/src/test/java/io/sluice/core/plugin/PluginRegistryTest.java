package io.sluice.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.runtime.PluginInfo;
import io.sluice.spi.PluginFactory;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.ConfigDefinition;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Version;

class PluginRegistryTest {

    /** Equal to every other one, which nobody forbids. */
    private record Factory() implements PluginFactory {

        @Override
        public Object create() {
            return "";
        }

        @Override
        public ClassLoader classLoader() {
            return getClass().getClassLoader();
        }

        @Override
        public ConfigDefinition configuration() {
            return ConfigDefinition.NONE;
        }
    }

    private final PluginRegistry registry = new PluginRegistry(new PluginProblems());
    private long services;

    private Map<String, Object> add(String className, String name, String kind, Object version, int ranking) {
        Map<String, Object> properties = Map.of("service.id", ++services, "plugin.class", className, "plugin.name", name, "plugin.kind", kind,
            "plugin.version", version, "service.ranking", ranking, "plugin.bundle", "b" + services);
        registry.addPlugin(new Factory(), properties);
        return properties;
    }

    private Optional<String> bundleFor(String name, PluginKind... kinds) {
        return registry.find(new PluginNeed(Set.of(kinds), name, Optional.empty())).map(plugin -> plugin.info().bundle());
    }

    @Test
    void prefersTheHighestVersionThenTheRankingThenTheOldestService() {
        add("org.x.Jdbc", "jdbc", "source", new Version("1.9.0"), 100);
        add("org.x.Jdbc", "jdbc", "source", new Version("1.10.0"), 0);
        Map<String, Object> best = add("org.x.Jdbc", "jdbc", "source", new Version("1.10.0"), 5);
        add("org.x.Jdbc", "jdbc", "source", new Version("1.10.0"), 5);
        assertThat(bundleFor("jdbc", PluginKind.SOURCE)).contains("b3");
        assertThat(registry.plugins()).extracting(PluginInfo::bundle).containsExactly("b3", "b4", "b2", "b1");
        registry.removePlugin(new Factory(), best);
        assertThat(bundleFor("Jdbc", PluginKind.SOURCE)).contains("b4");
        assertThat(bundleFor("jdbc", PluginKind.SINK)).isEmpty();
        assertThat(registry.problems()).isEmpty();
    }

    @Test
    void reportsNamesThatCanMeanSeveralPlugins() {
        add("org.x.File", "file", "source", new Version("1.0.0"), 0);
        add("org.y.File", "file-sink", "sink", new Version("2.0.0"), 0);
        add("org.y.File", "file-filter", "transform", new Version("3.0.0"), 0);
        assertThat(bundleFor("File", PluginKind.SOURCE, PluginKind.SINK)).contains("b2");
        assertThat(registry.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.bundle()).isEqualTo("b1");
            assertThat(problem.message()).contains("'File' means org.y.File of bundle b2", "not org.x.File");
        });
    }

    @Test
    void doesNotUseAServiceWhosePropertiesAreNotRight() {
        add("org.x.Jdbc", "jdbc", "source", "1.0.0", 0);
        add("org.x.Jdbc", "jdbc", "SOURCE", new Version("1.0.0"), 0);
        add("", "jdbc", "source", new Version("1.0.0"), 0);
        registry.addPlugin(new Factory(), Map.of("service.id", 9L));
        assertThat(registry.plugins()).isEmpty();
    }

    @Test
    void followsAServiceWhosePropertiesChange() {
        Map<String, Object> before = add("org.x.Jdbc", "jdbc", "source", new Version("1.0.0"), 0);
        registry.updatedPlugin(new Factory(), Map.of("service.id", before.get("service.id"), "plugin.class", "org.x.Jdbc", "plugin.name", "db", "plugin.kind",
            "source", "plugin.version", new Version("1.0.0")));
        assertThat(registry.plugins()).extracting(PluginInfo::name).containsExactly("db");
    }
}
