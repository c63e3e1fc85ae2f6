package io.sluice.connector.file.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.data.logical.Date;
import io.openmessaging.connector.api.data.logical.Time;
import io.openmessaging.connector.api.data.logical.Timestamp;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    private static final ObjectMapper JACKSON = new ObjectMapper()
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS);

    private static String json(Schema schema, Object value) {
        StringBuilder out = new StringBuilder();
        JsonText.write(out, schema, value);
        return out.toString();
    }

    @Test
    void writesLogicalTypesForPeopleAndNumbersExactly() {
        Schema schema = SchemaBuilder.struct()
            .field("id", SchemaBuilder.int64().build())
            .field("price", io.openmessaging.connector.api.data.logical.Decimal.builder(2).build())
            .field("day", Date.builder().build())
            .field("time", Time.builder().build())
            .field("at", Timestamp.builder().build())
            .field("raw", SchemaBuilder.bytes().build())
            .field("missing", SchemaBuilder.string().defaultValue("given").build())
            .field("ratio", SchemaBuilder.float64().build())
            .build();
        Struct struct = new Struct(schema);
        struct.setValues(new Object[] {9007199254740993L, new BigDecimal("12345678901234567890.10"), new java.util.Date(86_400_000L * 365),
            new java.util.Date(3_723_004), new java.util.Date(-1), ByteBuffer.wrap(new byte[] {1, 2, 3}), null, Double.NaN});
        assertThat(json(schema, struct)).isEqualTo("{\"id\":9007199254740993,\"price\":12345678901234567890.10,\"day\":\"1971-01-01\",\"time\":\"01:02:03.004\","
            + "\"at\":\"1969-12-31T23:59:59.999Z\",\"raw\":\"AQID\",\"missing\":\"given\",\"ratio\":\"NaN\"}");
    }

    @Test
    void writesMapsOfAnyKeys() {
        Map<Object, Object> numbers = new LinkedHashMap<>();
        numbers.put(1, "a");
        numbers.put(2L, null);
        assertThat(json(null, numbers)).isEqualTo("{\"1\":\"a\",\"2\":null}");
        assertThat(json(null, Map.of(List.of(1), "x"))).isEqualTo("[[[1],\"x\"]]");
        assertThat(json(null, new Object[] {1, null})).isEqualTo("[1,null]");
    }

    @Property(tries = 300)
    void writesWhatAnotherParserReadsAsTheSame(@ForAll("values") Object value) throws Exception {
        String json = json(null, value);
        assertThat(json.lines().count()).as("one line").isLessThanOrEqualTo(1);
        assertThat(JACKSON.readTree(json)).isEqualTo(JACKSON.readTree(JACKSON.writeValueAsString(value)));
    }

    @Property(tries = 300)
    void keepsEveryCharacterOfAString(@ForAll String text) throws Exception {
        JsonNode node = JACKSON.readTree(json(null, text).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(node.textValue()).isEqualTo(text);
    }

    @Provide
    Arbitrary<Object> values() {
        Arbitrary<Object> single = Arbitraries.oneOf(Arbitraries.strings().ofMaxLength(20).map(Object.class::cast), Arbitraries.longs().map(Object.class::cast),
            Arbitraries.of(true, false).map(Object.class::cast), Arbitraries.doubles().map(Object.class::cast),
            Arbitraries.bytes().list().ofMaxSize(9).map(bytes -> {
                byte[] array = new byte[bytes.size()];
                for (int i = 0; i < array.length; i++) {
                    array[i] = bytes.get(i);
                }
                return (Object) array;
            }));
        return Arbitraries.recursive(() -> single, inner -> Arbitraries.oneOf(
            inner.list().ofMaxSize(4).map(list -> (Object) Arrays.asList(list.toArray())),
            Arbitraries.maps(Arbitraries.strings().ofMaxLength(5), inner).ofMaxSize(4).map(Object.class::cast)), 0, 3);
    }
}
