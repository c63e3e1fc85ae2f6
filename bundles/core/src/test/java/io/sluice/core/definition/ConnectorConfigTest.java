package io.sluice.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.spi.config.ConfigDefinition;
import io.sluice.spi.config.ConfigKey;
import io.sluice.spi.config.ConfigType;
import java.time.Duration;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConnectorConfigTest {

    @Test
    void readsTheSpellingsOfBothWorlds() {
        ConnectorConfig config = ConnectorConfig.of(Map.of("connector.class", "x", "max.tasks", "3", "topics", "a, b"));
        assertThat(config.tasksMax()).isEqualTo(3);
        assertThat(config.sink().topics()).containsExactly("a", "b");
        assertThat(ConnectorConfig.of(Map.of("tasks.max", "2", "max.tasks", "3")).tasksMax()).isEqualTo(2);
    }

    @Test
    void namesEveryPluginThatIsNeeded() {
        ConnectorConfig config = ConnectorConfig.of(Map.of("connector.class", "jdbc-source", "transforms", "mask,route",
            "transforms.mask.type", "mask-field", "transforms.mask.fields", "card", "transforms.mask.predicate", "orders",
            "transforms.route.type", "regex-router", "predicates", "orders", "predicates.orders.type", "topic-matches", "predicates.orders.pattern", "o.*"));
        assertThat(config.needs().keySet()).containsExactly("connector.class", "key.converter", "value.converter",
            "transforms.mask.type", "transforms.route.type", "predicates.orders.type");
        assertThat(config.transforms().get(0).config()).isEqualTo(Map.of("fields", "card"));
        assertThat(config.transforms().get(0).predicate().orElseThrow().config()).isEqualTo(Map.of("pattern", "o.*"));
        assertThat(config.transforms().get(1).predicate()).isEmpty();
    }

    @Test
    void refusesAPredicateThatIsNotListed() {
        ConnectorConfig config = ConnectorConfig.of(Map.of("transforms", "a", "transforms.a.type", "t", "transforms.a.predicate", "gone"));
        assertThatThrownBy(config::transforms).hasMessageContaining("'transforms.a.predicate'").hasMessageContaining("'gone'");
    }

    @Test
    void hasTheDefaultsThatAreDocumented() {
        ConnectorConfig config = ConnectorConfig.of(Map.of("connector.class", "x"));
        assertThat(config.tolerant()).isFalse();
        assertThat(config.retryTimeout()).contains(Duration.ZERO);
        assertThat(config.deadLetterTopic()).isEmpty();
        assertThat(config.source().topic()).isEmpty();
        assertThat(config.offsetInterval()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void masksSecretsAndKeepsReferences() {
        ConfigDefinition definition = new ConfigDefinition("", "", List.of(ConfigKey.of("pin", ConfigType.PASSWORD, Optional.of(""), "")));
        Map<String, String> given = Map.of("pin", "1234", "api.token", "abc", "url", "u", "db.password", "$[env:PW]");
        Map<String, String> masked = SecretMask.mask(given, definition);
        assertThat(masked).isEqualTo(Map.of("pin", "****", "api.token", "****", "url", "u", "db.password", "$[env:PW]"));
        assertThat(SecretMask.unmask(masked, given)).isEqualTo(given);
        assertThat(SecretMask.maskResolved(Map.of("db.password", "real", "pin", "1234"), definition, given))
            .isEqualTo(Map.of("db.password", "$[env:PW]", "pin", "****"));
    }

    @Test
    void readsConfigAdminContentAsText() {
        Dictionary<String, Object> properties = new Hashtable<>(Map.of("service.pid", "p", "felix.fileinstall.filename", "file:/etc/io.sluice.connector~a.cfg",
            "tasks.max", 2L, "topics", new String[] {"a", "b"}, "list", List.of(1, 2), "name", "a"));
        assertThat(Contents.of(properties)).isEqualTo(Map.of("tasks.max", "2", "topics", "a,b", "list", "1,2"));
        assertThat(Contents.author(properties)).isEqualTo("file:io.sluice.connector~a.cfg");
        assertThat(Contents.digest(Map.of("a", "bc"))).isNotEqualTo(Contents.digest(Map.of("ab", "c")));
    }
}
