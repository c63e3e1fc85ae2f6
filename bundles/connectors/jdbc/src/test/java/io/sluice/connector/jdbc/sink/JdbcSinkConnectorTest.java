package io.sluice.connector.jdbc.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.internal.DefaultKeyValue;
import org.junit.jupiter.api.Test;

class JdbcSinkConnectorTest {

    private final JdbcSinkConnector connector = new JdbcSinkConnector();

    private static KeyValue config(String... pairs) {
        KeyValue config = new DefaultKeyValue();
        config.put("connection.url", "jdbc:h2:mem:none");
        for (int i = 0; i < pairs.length; i += 2) {
            config.put(pairs[i], pairs[i + 1]);
        }
        return config;
    }

    private void assertRefused(String message, String... pairs) {
        assertThatThrownBy(() -> connector.validate(config(pairs))).isInstanceOf(ConnectException.class).hasMessageContaining(message);
    }

    @Test
    void acceptsADatabaseThatIsNotThere() {
        assertThatCode(() -> connector.validate(config("connection.url", "jdbc:postgresql://no.such.host/x", "insert.mode", "upsert", "pk.mode", "record_key")))
            .doesNotThrowAnyException();
    }

    @Test
    void refusesKeysThatContradictEachOther() {
        assertRefused("'insert.mode' cannot be 'upsert': pk.mode=none has no key by which to find a row; set pk.mode to", "insert.mode", "upsert");
        assertRefused("'delete.enabled' cannot be 'true': pk.mode=record_value has no key when the value is null; set pk.mode=record_key",
            "delete.enabled", "true", "pk.mode", "record_value");
        assertRefused("'pk.fields' cannot be 'a,b': pk.mode=kafka has four columns", "pk.mode", "kafka", "pk.fields", "a,b");
        assertRefused("'pk.fields' cannot be 'a': pk.mode=none has no key", "pk.fields", "a");
        assertRefused("'offsets.table' cannot be 'orders': it is the table for the records too",
            "delivery", "exactly-once", "table.name.format", "orders", "offsets.table", "orders");
    }

    @Test
    void refusesValuesThatMeanNothing() {
        assertRefused("'connection.url' cannot be 'postgres://x': it does not begin with jdbc:", "connection.url", "postgres://x");
        assertRefused("'db.timezone' cannot be 'Mars/Olympus': there is no such zone", "db.timezone", "Mars/Olympus");
        assertRefused("'table.name.format' cannot be '${topik}': there is no placeholder '${topik}'; use ${topic}", "table.name.format", "${topik}");
        assertRefused("'insert.mode' cannot be 'replace': it is not known; use one of insert, upsert, update", "insert.mode", "replace");
    }

    @Test
    void saysAllThatIsWrongAtOnce() {
        assertThatThrownBy(() -> connector.validate(config("connection.url", "", "insert.mode", "update", "db.timezone", "x")))
            .hasMessageContaining("'connection.url' is missing").hasMessageContaining("'insert.mode'").hasMessageContaining("'db.timezone'");
    }

    @Test
    void leavesReferencesForTheStart() {
        assertThatCode(() -> connector.validate(config("connection.url", "$[secret:url]", "db.timezone", "$[env:ZONE]"))).doesNotThrowAnyException();
    }

    @Test
    void givesEveryTaskTheWholeConfiguration() {
        connector.start(config("pk.mode", "queue"));
        assertThat(connector.taskConfigs(3)).hasSize(3).allSatisfy(task -> assertThat(task.getString("pk.mode")).isEqualTo("queue"));
        connector.stop();
    }

    @Test
    void letsOneTaskAloneExtendTablesOfH2() {
        connector.start(config("auto.evolve", "true"));
        assertThat(connector.taskConfigs(3)).hasSize(1);
        connector.start(config("auto.evolve", "true", "connection.url", "jdbc:postgresql://db/x"));
        assertThat(connector.taskConfigs(3)).hasSize(3);
    }
}
