package io.sluice.spi.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConfigTest {

    @interface Sample {
        String connection_url();

        int batch_max_rows() default 500;

        String[] table_whitelist() default {};

        boolean dry_run() default false;
    }

    private static final ConfigDefinition DEFINITION = new ConfigDefinition("Sample", "", List.of(
        ConfigKey.of("connection.url", ConfigType.STRING, Optional.empty(), "where"),
        new ConfigKey("batch.max.rows", ConfigType.INT, false, Optional.of("500"), Map.of(), Optional.of("1"), Optional.of("10000"), "", ""),
        new ConfigKey("mode", ConfigType.STRING, false, Optional.of("bulk"), Map.of("bulk", "", "incrementing", ""), Optional.empty(), Optional.empty(), "", ""),
        new ConfigKey("password", ConfigType.PASSWORD, false, Optional.of(""), Map.of(), Optional.of("4"), Optional.empty(), "", "")));

    @Test
    void readsTypedValuesAndDefaults() {
        Sample sample = Config.of(Map.of("connection.url", "jdbc:h2:mem:a", "table.whitelist", " a , b,,c "), Sample.class);
        assertThat(sample.connection_url()).isEqualTo("jdbc:h2:mem:a");
        assertThat(sample.batch_max_rows()).isEqualTo(500);
        assertThat(sample.table_whitelist()).containsExactly("a", "b", "c");
        assertThat(Config.of(Map.of("batch.max.rows", " "), Sample.class).batch_max_rows()).isEqualTo(500);
        assertThat(Config.of(Map.of("dry.run", "true"), Sample.class).dry_run()).isTrue();
    }

    @Test
    void refusesTextThatIsNotANumber() {
        assertThatThrownBy(() -> Config.of(Map.of("batch.max.rows", "many"), Sample.class).batch_max_rows())
            .isInstanceOf(RuntimeException.class);
    }

    @Test
    void namesKeyValueAndRemedy() {
        assertThat(DEFINITION.validate(Map.of("batch.max.rows", "0", "mode", "sometimes", "password", "abc")))
            .extracting(ConfigProblem::message)
            .containsExactly(
                "'connection.url' is missing; it needs a text",
                "'batch.max.rows' cannot be '0'; it needs a whole number of at least 1 and at most 10000",
                "'mode' cannot be 'sometimes'; it needs one of " + String.join(", ", DEFINITION.keys().get("mode").options().keySet()),
                "'password' cannot be '(hidden)'; it needs a password of at least 4 characters");
    }

    @Test
    void acceptsReferencesWithoutLookingAtThem() {
        assertThat(DEFINITION.validate(Map.of("connection.url", "$[env:URL]", "batch.max.rows", "${file:/etc/x:rows}"))).isEmpty();
        assertThat(References.contains("costs $5 [or so]")).isFalse();
    }
}
