package io.sluice.connector.jdbc.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** What is stored of a position is all of it. */
class PositionTest {

    @Property(tries = 200)
    void comesBackAsItWasStored(@ForAll BigInteger digits, @ForAll @IntRange(min = 0, max = 5) int scale,
                                @ForAll @LongRange(min = -62_000_000_000L, max = 250_000_000_000L) long second, @ForAll @IntRange(min = 0, max = 999_999_999) int nano) {
        Position position = Position.of(Instant.ofEpochSecond(second, nano), new BigDecimal(digits, scale));
        Position read = Position.of(position.toMap(), Mode.TIMESTAMP_INCREMENTING);
        assertThat(read.timestamp()).isEqualTo(position.timestamp());
        assertThat(read.incrementing().orElseThrow()).isEqualByComparingTo(position.incrementing().orElseThrow());
        assertThat(read.inclusive()).isFalse();
    }

    @Test
    void readsNumbersThatAStoreGivesBackAsTextOrAsOtherNumbers() {
        assertThat(Position.of(Map.of("incrementing", 7), Mode.INCREMENTING)).isEqualTo(Position.of(BigDecimal.valueOf(7)));
        assertThat(Position.of(Map.of("incrementing", "18446744073709551615"), Mode.INCREMENTING)).isEqualTo(Position.of(new BigDecimal("18446744073709551615")));
        assertThat(Position.of(Map.of("timestamp", "-1", "timestamp_nanos", "999000001"), Mode.TIMESTAMP)).isEqualTo(Position.of(Instant.ofEpochSecond(-1, 999_000_001)));
        assertThat(Position.of(Map.of("timestamp", 1_500L), Mode.TIMESTAMP)).isEqualTo(Position.of(Instant.ofEpochMilli(1_500)));
    }

    @Test
    void readsATimeAgainOfWhichOnlyPartIsDone() {
        Map<String, Object> stored = Position.of(Instant.EPOCH, BigDecimal.ONE).toMap();
        assertThat(Position.of(stored, Mode.TIMESTAMP)).isEqualTo(Position.from(Instant.EPOCH));
        assertThat(Position.of(stored, Mode.INCREMENTING)).isEqualTo(Position.of(BigDecimal.ONE));
        assertThat(Position.of(Position.of(BigDecimal.ONE).toMap(), Mode.TIMESTAMP_INCREMENTING).incrementing()).isEqualTo(Optional.empty());
    }
}
