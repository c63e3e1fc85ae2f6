package io.sluice.spi.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaCacheTest {

    private final List<Schema> derived = new ArrayList<>();
    private final SchemaCache<Object> cache = new SchemaCache<>(2, schema -> {
        derived.add(schema);
        return new Object();
    });

    @Test
    void derivesOncePerSchemaObjectAndNotPerEqualSchema() {
        Schema first = SchemaBuilder.string().build();
        Schema equal = SchemaBuilder.string().build();
        assertThat(cache.get(first)).isSameAs(cache.get(first));
        assertThat(cache.get(equal)).isNotSameAs(cache.get(first)).isSameAs(cache.get(equal));
        assertThat(derived).hasSize(2);
    }

    @Test
    void dropsWhatWasAskedForLongestAgo() {
        Schema first = SchemaBuilder.string().build();
        Schema second = SchemaBuilder.string().build();
        Schema third = SchemaBuilder.string().build();
        cache.get(first);
        cache.get(second);
        cache.get(first);
        cache.get(third);
        assertThat(cache.size()).isEqualTo(2);
        cache.get(first);
        assertThat(derived).hasSize(3);
        cache.get(second);
        assertThat(derived).hasSize(4);
    }

    @Test
    void keepsNothingOfAFailedDerivation() {
        Schema schema = SchemaBuilder.string().build();
        SchemaCache<Object> failing = new SchemaCache<>(2, unwanted -> {
            throw new IllegalStateException("no");
        });
        assertThatThrownBy(() -> failing.get(schema)).hasMessage("no");
        assertThat(failing.size()).isZero();
    }
}
