package io.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogOffsetStoreTest {

    @TempDir
    Path folder;

    /** Another view of the same log. */
    StoreLog log() {
        return new FileStoreLog(folder);
    }

    private OffsetStore open() throws IOException {
        return LogOffsetStore.open(log());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.get(10, TimeUnit.SECONDS);
    }

    @Test
    void keepsOffsetsAcrossARestart() throws Exception {
        try (OffsetStore store = open()) {
            await(store.commit("orders", Map.of(Map.of("file", "a"), Map.of("at", 1), Map.of("file", "b"), Map.of("at", 2L))));
            await(store.commit("others", Map.of(Map.of("file", "a"), Map.of("at", 9))));
            await(store.commit("orders", Map.of(Map.of("file", "a"), Map.of("at", 3))));
        }
        try (OffsetStore store = open()) {
            assertThat(store.all("orders")).isEqualTo(Map.of(Map.of("file", "a"), Map.of("at", 3L), Map.of("file", "b"), Map.of("at", 2L)));
            assertThat(store.get("others", Map.of("file", "a"))).contains(Map.of("at", 9L));
            assertThat(store.get("nobody", Map.of("file", "a"))).isEmpty();
            await(store.clear("orders"));
            assertThat(store.all("orders")).isEmpty();
        }
        try (OffsetStore store = open()) {
            assertThat(store.all("orders")).isEmpty();
            assertThat(store.all("others")).hasSize(1);
        }
    }

    @Test
    void forgetsAPartitionWhoseOffsetIsNull() throws Exception {
        try (OffsetStore store = open()) {
            await(store.commit("orders", Map.of(Map.of("p", 1), Map.of("at", 1), Map.of("p", 2), Map.of("at", 2))));
            await(store.commit("orders", Collections.singletonMap(Map.of("p", 1), null)));
            assertThat(store.all("orders")).containsOnlyKeys(Map.of("p", 2L));
        }
    }

    @Test
    void findsAPartitionHoweverItsKeysAreOrderedAndItsNumbersTyped() throws Exception {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("table", "t");
        one.put("shard", 7);
        one.put("none", null);
        Map<String, Object> other = new LinkedHashMap<>();
        other.put("none", null);
        other.put("shard", 7L);
        other.put("table", "t");
        try (OffsetStore store = open()) {
            await(store.commit("orders", Map.of(one, Map.of("at", (short) 5, "ratio", 0.5f))));
            assertThat(store.get("orders", other)).contains(Map.of("at", 5L, "ratio", 0.5));
        }
    }

    @Test
    void givesNestedValuesAndAnyTextBack() throws Exception {
        Map<String, Object> offset = new HashMap<>();
        offset.put("list", Arrays.asList(1L, "two", null, true, 1e300, 5.0));
        offset.put("map", Map.of("deep", Map.of("er", List.of(Map.of()))));
        offset.put("text", "\0 ü € 😀 \ud800 \" \\ \n");
        offset.put("max", Long.MAX_VALUE);
        offset.put("big", BigInteger.valueOf(Long.MIN_VALUE));
        Map<String, Object> expected = new HashMap<>(offset);
        expected.put("big", Long.MIN_VALUE);
        try (OffsetStore store = open()) {
            await(store.commit("ordérs\n", Map.of(offset, offset)));
        }
        try (OffsetStore store = open()) {
            assertThat(store.get("ordérs\n", offset)).contains(expected);
            assertThat(store.all("ordérs\n")).isEqualTo(Map.of(expected, expected));
        }
    }

    @Test
    void saysWhichValueCannotBeKeptAndChangesNothing() throws Exception {
        try (OffsetStore store = open()) {
            for (Object wrong : List.of(Double.NaN, new BigDecimal("1.5"), new byte[1], 'c', BigInteger.TWO.pow(64), Map.of(1, 2), List.of(new Object()))) {
                assertThatThrownBy(() -> await(store.commit("orders", Map.of(Map.of("p", 1), Map.of("at", 1), Map.of("p", 2), Map.of("field", wrong)))))
                    .as("%s", wrong).isInstanceOf(ExecutionException.class).cause().isInstanceOf(IOException.class)
                    .hasMessageContaining("connector 'orders'").hasMessageContaining("field");
            }
            assertThat(store.all("orders")).isEmpty();
        }
    }
}
