package io.sluice.converter.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaAndValue;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RoundTripTest {

    @Property(tries = 1000)
    void whatIsWrittenWithItsSchemaIsReadAsItWas(@ForAll long seed, @ForAll boolean numeric, @ForAll boolean kafka, @ForAll boolean replaceNull) {
        RandomData data = new RandomData(seed);
        Schema schema = data.schema();
        JsonConverter converter = converter(Map.of("decimal.format", numeric ? "NUMERIC" : "BASE64",
            "logical.names", kafka ? "kafka" : "openmessaging", "replace.null.with.default", replaceNull));

        Schema first = null;
        // The second record takes the short way past the schema that the first one has left behind.
        for (int i = 0; i < 3; i++) {
            Object value = data.value(schema);
            SchemaAndValue read = converter.toConnectData("t", converter.fromConnectData("t", schema, value));

            assertThat(Canonical.of(schema, read.value(), replaceNull)).isEqualTo(Canonical.of(schema, value, replaceNull));
            assertThat(Canonical.of(read.schema(), false)).isEqualTo(Canonical.of(schema, replaceNull));
            assertThat(first == null || first == read.schema()).isTrue();
            first = read.schema();
        }
    }

    @Property(tries = 1000)
    void whatHasNoSchemaIsReadAsItWas(@ForAll long seed, @ForAll boolean envelope) {
        Object value = new RandomData(seed).freeForm(0);
        JsonConverter converter = converter(Map.of("schemas.enable", envelope));

        SchemaAndValue read = converter.toConnectData("t", converter.fromConnectData("t", null, value));

        assertThat(Canonical.of(null, read.value(), false)).isEqualTo(Canonical.of(null, value, false));
        assertThat(read.schema()).isNull();
    }

    @Property(tries = 1000)
    void numbersWithoutSchemaAreDoublesWhoeverPrintedThem(@ForAll long bits, @ForAll @IntRange(min = 17, max = 25) int digits) {
        double value = Double.longBitsToDouble(bits);
        Assume.that(Double.isFinite(value));
        JsonConverter converter = converter(Map.of("schemas.enable", false));
        for (String text : new String[] {Double.toString(value), new BigDecimal(value).round(new MathContext(digits)).toString()}) {
            Object read = converter.toConnectData("t", text.getBytes(StandardCharsets.UTF_8)).value();
            assertThat(((Number) read).doubleValue()).isEqualTo(value);
            assertThat(read).isInstanceOfAny(Double.class, text.matches("-?\\d+") ? Number.class : Double.class);
        }
    }

    @Property(tries = 300)
    void schemaBehindThePayloadAndBlanksAnywhereChangeNothing(@ForAll long seed) {
        RandomData data = new RandomData(seed);
        Schema schema = data.schema();
        Object value = data.value(schema);
        JsonConverter converter = converter(Map.of());
        String json = new String(converter.fromConnectData("t", schema, value), StandardCharsets.UTF_8);
        int payload = payloadStart(json);
        String schemaJson = json.substring("{\"schema\":".length(), payload - ",\"payload\":".length());
        String payloadJson = json.substring(payload, json.length() - 1);

        for (String variant : new String[] {
            " {\n\"payload\" : " + payloadJson + " ,\t\"schema\" : " + schemaJson + " } \n",
            " {\r\n\"schema\" : " + schemaJson + " , \"payload\" : " + payloadJson + "\n} ",
            " {\r\n\"schema\" : " + schemaJson + " , \"payload\" : " + payloadJson + "\n} ",
            "\ufeff" + json}) {
            SchemaAndValue read = converter.toConnectData("t", variant.getBytes(StandardCharsets.UTF_8));
            assertThat(Canonical.of(schema, read.value(), true)).isEqualTo(Canonical.of(schema, value, true));
            assertThat(Canonical.of(read.schema(), false)).isEqualTo(Canonical.of(schema, true));
        }
    }

    /** The envelope's own "payload" is the last one whose text makes a whole of what is before it; names in the schema are nested deeper. */
    private static int payloadStart(String json) {
        int depth = 0;
        boolean quoted = false;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (quoted) {
                if (c == '\\') {
                    i++;
                } else if (c == '"') {
                    quoted = false;
                }
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            } else if (c == ',' && depth == 1) {
                return i + ",\"payload\":".length();
            }
        }
        throw new IllegalArgumentException("no payload");
    }

    @Test
    void moreSchemasThanAreRememberedChangeNothing() {
        JsonConverter converter = converter(Map.of("schemas.cache.size", 2));
        List<Schema> schemas = IntStream.range(0, 7).mapToObj(i -> new Schema("row" + i, FieldType.STRUCT,
            List.of(new Field(0, "n" + i, SchemaBuilder.int32().build())))).toList();
        for (int i = 0; i < 50; i++) {
            int which = i * i % schemas.size();
            Struct struct = new Struct(schemas.get(which)).put("n" + which, i);
            SchemaAndValue read = converter.toConnectData("t", converter.fromConnectData("t", schemas.get(which), struct));
            assertThat(read.schema().getName()).isEqualTo("row" + which);
            assertThat(((Struct) read.value()).get("n" + which)).isEqualTo(i);
        }
    }

    private static JsonConverter converter(Map<String, ?> config) {
        JsonConverter converter = new JsonConverter();
        converter.configure(config);
        return converter;
    }
}
