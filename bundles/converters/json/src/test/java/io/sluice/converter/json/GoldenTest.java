package io.sluice.converter.json;

import static io.openmessaging.connector.api.data.FieldType.ARRAY;
import static io.openmessaging.connector.api.data.FieldType.BYTES;
import static io.openmessaging.connector.api.data.FieldType.INT32;
import static io.openmessaging.connector.api.data.FieldType.INT64;
import static io.openmessaging.connector.api.data.FieldType.MAP;
import static io.openmessaging.connector.api.data.FieldType.STRING;
import static io.openmessaging.connector.api.data.FieldType.STRUCT;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaAndValue;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.data.logical.Timestamp;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written, byte by byte: the lines of the golden file are what Kafka Connect's JsonConverter writes for the same data. */
class GoldenTest {

    record Line(String json, Schema schema, Object value) {

        @Override
        public String toString() {
            return json;
        }
    }

    static Stream<Line> lines() throws Exception {
        List<String> golden;
        try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/kafka-connect.jsonl")) {
            golden = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
        List<SchemaAndValue> data = data();
        assertThat(golden).hasSameSizeAs(data);
        return IntStream.range(0, data.size()).mapToObj(i -> new Line(golden.get(i), data.get(i).schema(), data.get(i).value()));
    }

    private static List<SchemaAndValue> data() {
        Schema string = required(STRING);
        return List.of(
            data(required(FieldType.BOOLEAN), true),
            data(required(FieldType.INT8), (byte) -128),
            data(required(FieldType.INT16), (short) 12345),
            data(required(INT32), Integer.MIN_VALUE),
            data(required(INT64), Long.MAX_VALUE),
            data(required(FieldType.FLOAT32), 12.34f),
            data(required(FieldType.FLOAT64), 1.0E-5),
            data(required(FieldType.FLOAT64), Double.NaN),
            data(required(FieldType.FLOAT64), Double.NEGATIVE_INFINITY),
            data(required(BYTES), "test-string".getBytes(StandardCharsets.UTF_8)),
            data(string, "test-string \"quoted\" \0 \t \u00fc \u20ac"),
            data(schema(STRING, true, null), null),
            data(schema(STRING, true, "none"), null),
            data(list(required(INT32)), List.of(1, 2, 3)),
            data(list(schema(STRING, true, null)), Arrays.asList("a", null)),
            data(map(string, required(INT32)), ordered("key1", 12, "key2", 15)),
            data(map(required(INT32), schema(INT32, true, null)), ordered(1, 12, 2, null)),
            data(named(BYTES, LogicalType.DECIMAL, false, Map.of("scale", "2")), new BigDecimal("1.56")),
            data(named(INT32, LogicalType.DATE, false, null), new Date(10000 * 86_400_000L)),
            data(named(INT32, LogicalType.TIME, false, null), new Date(14_400_000L)),
            data(named(INT64, LogicalType.TIMESTAMP, false, null), new Date(4_000_000_000L)),
            order(),
            data(null, ordered("a", 1L, "b", Arrays.asList(true, null, "x"), "c", 1.5)));
    }

    private static SchemaAndValue order() {
        Schema address = new Schema("com.example.Address", STRUCT, true, null, 3, null, List.of(new Field(0, "zip", required(STRING))), null,
            null, null);
        address.setDefaultValue(new Struct(address).put("zip", "00000"));
        Schema line = new Schema(null, STRUCT, false, null, null, null, List.of(new Field(0, "n", schema(INT32, true, null))), null, null, null);
        Schema lines = new Schema(null, ARRAY, true, null, null, null, null, null, line, null);
        Schema order = new Schema("com.example.Order", STRUCT, false, null, 2, "an order", List.of(
            new Field(0, "id", new Schema(null, INT64, false, null, null, "the key", null, null, null, null)),
            new Field(1, "name", schema(STRING, true, null)),
            new Field(2, "price", named(BYTES, LogicalType.DECIMAL, true, parameters("scale", "2", "connect.decimal.precision", "10"))),
            new Field(3, "address", address),
            new Field(4, "lines", lines)), null, null, parameters("owner", "shop"));
        Struct value = new Struct(order);
        Object[] values = {(1L << 53) + 1, null, new BigDecimal("1.56"), new Struct(address).put("zip", "12345"),
            List.of(new Struct(line).put("n", 1), new Struct(line))};
        System.arraycopy(values, 0, value.getValues(), 0, values.length);
        return data(order, value);
    }

    @ParameterizedTest
    @MethodSource("lines")
    void writesWhatKafkaConnectWrites(Line line) {
        byte[] written = converter("kafka").fromConnectData("t", line.schema(), line.value());
        assertThat(new String(written, StandardCharsets.UTF_8)).isEqualTo(line.json());
    }

    @ParameterizedTest
    @MethodSource("lines")
    void readsWhatKafkaConnectWrites(Line line) {
        SchemaAndValue read = converter("openmessaging").toConnectData("t", line.json().getBytes(StandardCharsets.UTF_8));
        assertThat(Canonical.of(read.schema(), true)).isEqualTo(Canonical.of(line.schema(), true));
        assertThat(Canonical.of(read.schema(), read.value(), true)).isEqualTo(Canonical.of(line.schema(), line.value(), true));
    }

    @Test
    void writesTheNamesOfOpenMessagingUnlessToldOtherwise() {
        assertThat(json(converter("openmessaging"), Timestamp.builder().required().build(), new Date(5)))
            .isEqualTo("{\"schema\":{\"type\":\"int64\",\"optional\":false,"
                + "\"name\":\"io.openmessaging.connector.api.data.logical.Timestamp\",\"version\":1},\"payload\":5}");
    }

    @Test
    void writesDecimalsAsNumbersWithAllTheirDigitsWhenToldTo() {
        JsonConverter numeric = new JsonConverter();
        numeric.configure(Map.of("decimal.format", "NUMERIC", "schemas.enable", "false"));
        Schema decimal = named(BYTES, LogicalType.DECIMAL, false, Map.of("scale", "4"));
        assertThat(json(numeric, decimal, new BigDecimal("12345678901234567890.1200"))).isEqualTo("12345678901234567890.1200");
        assertThat(json(numeric, decimal, new BigDecimal("7"))).isEqualTo("7.0000");
    }

    @Test
    void tombstoneIsNoDocument() {
        assertThat(converter("kafka").fromConnectData("t", null, null)).isNull();
        assertThat(converter("kafka").toConnectData("t", null).schema()).isNull();
        assertThat(converter("kafka").toConnectData("t", null).value()).isNull();
    }

    @Test
    void writesTheTypeWithoutJavaClassAsTimestamp() {
        assertThat(json(converter("kafka"), required(FieldType.DATETIME), new Date(7)))
            .isEqualTo("{\"schema\":{\"type\":\"int64\",\"optional\":false,\"name\":\"org.apache.kafka.connect.data.Timestamp\"},\"payload\":7}");
    }

    @Test
    void readsAnEnvelopeOfNothingAsNull() {
        SchemaAndValue read = converter("kafka").toConnectData("t", "{\"schema\":null,\"payload\":null}".getBytes(StandardCharsets.UTF_8));
        assertThat(read.schema()).isNull();
        assertThat(read.value()).isNull();
    }

    @Test
    void writesMapWithNullForStringKeyAsPairs() {
        Schema schema = map(schema(STRING, true, null), required(INT32));
        assertThat(json(converter("kafka"), schema, ordered("a", 1, null, 2))).endsWith("\"payload\":[[\"a\",1],[null,2]]}");
    }

    @Test
    void writesWhatHasNoSchemaByItsJavaType() {
        Schema schema = new Schema("row", STRUCT, List.of(new Field(0, "a", required(INT32))));
        JsonConverter plain = new JsonConverter();
        plain.configure(Map.of("schemas.enable", false));
        assertThat(json(plain, null, ordered("struct", new Struct(schema).put("a", 1), "bytes", new byte[] {1, 2}, "date", new Date(5),
            "float", 0.1f, "big", new BigDecimal("1.10"), "map", Map.of(1, "x"), "short", (short) 3)))
            .isEqualTo("{\"struct\":{\"a\":1},\"bytes\":\"AQI=\",\"date\":5,\"float\":0.1,\"big\":1.10,\"map\":[[1,\"x\"]],\"short\":3}");
    }

    private static String json(JsonConverter converter, Schema schema, Object value) {
        return new String(converter.fromConnectData("t", schema, value), StandardCharsets.UTF_8);
    }

    private static JsonConverter converter(String names) {
        JsonConverter converter = new JsonConverter();
        converter.configure(Map.of("logical.names", names));
        return converter;
    }

    private static SchemaAndValue data(Schema schema, Object value) {
        return new SchemaAndValue(schema, value);
    }

    private static Schema required(FieldType type) {
        return schema(type, false, null);
    }

    private static Schema schema(FieldType type, boolean optional, Object defaultValue) {
        return new Schema(null, type, optional, defaultValue, null, null, null, null, null, null);
    }

    private static Schema named(FieldType type, LogicalType logical, boolean optional, Map<String, String> parameters) {
        return new Schema(logical.openMessagingName(), type, optional, null, 1, null, null, null, null, parameters);
    }

    private static Schema list(Schema items) {
        return new Schema(null, ARRAY, false, null, null, null, null, null, items, null);
    }

    private static Schema map(Schema keys, Schema values) {
        return new Schema(null, MAP, false, null, null, null, null, keys, values, null);
    }

    private static Map<String, String> parameters(String... pairs) {
        Map<String, String> map = new LinkedHashMap<>();
        ordered((Object[]) pairs).forEach((key, value) -> map.put((String) key, (String) value));
        return map;
    }

    private static Map<Object, Object> ordered(Object... pairs) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
