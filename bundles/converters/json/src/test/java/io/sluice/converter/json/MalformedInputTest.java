package io.sluice.converter.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.data.logical.Decimal;
import io.openmessaging.connector.api.errors.ConnectException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MalformedInputTest {

    private static final String STRUCT = "{'type':'struct','fields':[{'type':'int32','field':'n'},"
        + "{'type':'array','items':{'type':'struct','fields':[{'type':'bytes','field':'b'}]},'optional':true,'field':'list'},"
        + "{'type':'map','keys':{'type':'string'},'values':{'type':'float'},'optional':true,'field':'map'},"
        + "{'type':'map','keys':{'type':'int8'},'values':{'type':'boolean'},'optional':true,'field':'pairs'},"
        + "{'type':'bytes','name':'org.apache.kafka.connect.data.Decimal','parameters':{'scale':'2'},'optional':true,'field':'price'},"
        + "{'type':'int32','name':'org.apache.kafka.connect.data.Time','optional':true,'field':'time'}]}";

    private static final String DAMAGE = "{}[],:\"\\0123456789eE+-.truefalsn\0 \u00ff";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
        "'x'                            | value: expected a STRUCT as an object, found a string",
        "{}                             | value.n: expected an INT32, found null, and it is neither optional nor has it a default",
        "{'n':2147483648}               | value.n: expected an INT32, found a number that is out of its range",
        "{'n':1.5}                      | value.n: expected an INT32, found a number that is out of its range or not whole",
        "{'n':99999999999999999999}     | value.n: expected an INT32, found a number that is out of its range",
        "{'n':1e999999999}              | value.n: expected an INT32, found a number that is out of its range or not whole",
        "{'n':'7'}                      | value.n: expected an INT32, found a string",
        "{'n':1,'list':{}}              | value.list: expected an ARRAY, found an object",
        "{'n':1,'list':[{'b':''},{'b':'?'}]} | value.list[1].b: expected BYTES in base64, found a string that is not base64",
        "{'n':1,'list':[null]}          | value.list[0]: expected a STRUCT, found null, and it is neither optional nor has it a default",
        "{'n':1,'map':{'k':1e39}}       | value.map[\"k\"]: expected a FLOAT32, found a number that is out of its range",
        "{'n':1,'map':{'k':'Nan'}}      | value.map[\"k\"]: expected a FLOAT32, found a string",
        "{'n':1,'pairs':{'1':true}}     | value.pairs: expected a MAP as an array of pairs, found an object",
        "{'n':1,'pairs':[[1]]}          | value.pairs[0]: expected a pair of key and value, found one element",
        "{'n':1,'pairs':[[1,true,2]]}   | value.pairs[0]: expected a pair of key and value, found more than two elements",
        "{'n':1,'pairs':[[1,true],[]]}  | value.pairs[1]: expected a pair of key and value, found no element",
        "{'n':1,'pairs':[[1,true],7]}   | value.pairs[1]: expected a pair of key and value as an array, found a whole number",
        "{'n':1,'pairs':[[128,true]]}   | value.pairs[0][0]: expected an INT8, found a number that is out of its range",
        "{'n':1,'pairs':[[1,0]]}        | value.pairs[?]: expected a BOOLEAN, found a whole number",
        "{'n':1,'price':1.234}          | value.price: expected a decimal of scale 2, found one of scale 3",
        "{'n':1,'price':1e9999999}      | value.price: expected a decimal of scale 2, found one of scale -9999999",
        "{'n':1,'price':''}             | value.price: expected a decimal of scale 2 in base64, found no bytes",
        "{'n':1,'price':[]}             | value.price: expected a decimal of scale 2, as a number or in base64, found an array",
        "{'n':1,'time':-1}              | value.time: expected a time of day in milliseconds from 0 to 86400000, found a number that is out of its range",
    })
    void payloadThatDoesNotFitNamesTopicPathAndWhatWasExpected(String payload, String message) {
        JsonConverter converter = new JsonConverter();
        // Twice: once past the schema as a stranger, once as a known one.
        assertRefused(converter, "{'schema':" + STRUCT + ",'payload':" + payload + "}", message);
        converter.toConnectData("orders", bytes("{'schema':" + STRUCT + ",'payload':{'n':1}}"));
        assertRefused(converter, "{'schema':" + STRUCT + ",'payload':" + payload + "}", message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
        "{'type':'int33'}                             | value (schema).type: expected one of boolean, int8, int16, int32, int64",
        "{'optional':true}                            | value (schema): expected a schema with a 'type', found none",
        "{'type':'struct'}                            | value (schema): expected 'fields' in a schema of type STRUCT, found none",
        "{'type':'array','items':7}                   | value (schema).items: expected a schema as an object, found a whole number",
        "{'type':'map','keys':{'type':'string'}}      | value (schema): expected 'values' in a schema of type MAP, found none",
        "{'type':'struct','fields':[{'type':'int8'}]} | value (schema).fields[0]: expected a 'field' that names it and no other, found none",
        "{'type':'struct','fields':[{'type':'int8','field':'a'},{'type':'int8','field':'a'}]} | value (schema).fields[1]: expected a 'field' that names it and no other, found a name that is taken",
        "{'type':'int8','version':'1'}                | value (schema).version: expected an INT32, found a string",
        "{'type':'int8','optional':'no'}              | value (schema).optional: expected true or false, found a string",
        "{'type':'int8','parameters':{'a':1}}         | value (schema).parameters.a: expected a string, found a whole number",
        "{'type':'int8','default':300}                | value (schema).default: expected an INT8, found a number that is out of its range",
        "{'type':'bytes','name':'org.apache.kafka.connect.data.Decimal'} | value (schema): expected a schema of a decimal with a whole number as its parameter 'scale'",
        "'int8'                                       | value (schema): expected a schema as an object, or null, found a string",
    })
    void schemaThatIsNoneNamesTopicPathAndWhatWasExpected(String schema, String message) {
        assertRefused(new JsonConverter(), "{'schema':" + schema + ",'payload':1}", message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
        "{'a':1}                                  | schemas.enable=false",
        "[1]                                      | schemas.enable=false",
        "7                                        | schemas.enable=false",
        "{'payload':1}                            | found no schema",
        "{'schema':null}                          | found no payload",
        "{'schema':null,'payload':1,'more':2}     | found another field or one of them twice",
        "{'schema':null,'payload':1,'payload':2}  | found another field or one of them twice",
        "{'schema':null,'payload':1} x            | expected JSON, but it is broken",
        "{'schema':null,'payload':1} 2            | expected the end of the document, found more",
        "{'schema':null,'payload':                | expected JSON, but it is broken",
        "{'schema':null,'payload':[1,}            | value[1]: expected JSON, but it is broken",
        "{'schema':null,'payload':{'a':tru}}      | value.a: expected JSON, but it is broken",
    })
    void documentThatIsNoEnvelopeIsRefused(String document, String message) {
        assertRefused(new JsonConverter(), document, message);
    }

    @Test
    void nothingAndOtherEncodingsAreRefused() {
        assertRefused(new JsonConverter(), "", "found the end of the document");
        JsonConverter plain = new JsonConverter();
        plain.configure(Map.of("schemas.enable", "false", "isKey", "true"));
        assertThatThrownBy(() -> plain.toConnectData("orders", new byte[0])).isInstanceOf(ConnectException.class)
            .hasMessage("topic 'orders', key: expected a value, found the end of the document");
        for (var encoding : List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            assertThatThrownBy(() -> plain.toConnectData("orders", "{\"a\":1}".getBytes(encoding))).isInstanceOf(ConnectException.class)
                .hasMessageContaining("expected JSON in UTF-8");
        }
        assertThatThrownBy(() -> plain.toConnectData("orders", new byte[] {'"', (byte) 0xff, '"'})).isInstanceOf(ConnectException.class)
            .hasMessageContaining("expected JSON, but it is broken");
    }

    @Test
    void valuesThatDoNotFitTheirSchemaAreRefusedWithTheirPath() {
        Schema item = new Schema("item", FieldType.STRUCT, List.of(new Field(0, "n", SchemaBuilder.int64().required().build())));
        Schema items = SchemaBuilder.array(item).required().build();
        Schema row = new Schema("row", FieldType.STRUCT, List.of(new Field(0, "items", items),
            new Field(1, "price", Decimal.builder(2).optional().build())));
        Struct good = new Struct(item).put("n", 1L);
        Struct bad = new Struct(item);
        bad.getValues()[0] = 7;
        assertRefused(row, struct(row, List.of(good, bad), null), "value.items[1].n: expected an INT64, found a java.lang.Integer");
        assertRefused(row, struct(row, null, null), "value.items: expected an ARRAY, found null");
        assertRefused(row, struct(row, List.of(new Struct(item)), null), "value.items[0].n: expected an INT64, found null");
        assertRefused(row, struct(row, List.of(), new BigDecimal("1.005")), "value.price: expected a decimal of scale 2, found one of scale 3");
        assertRefused(row, new Struct(item), "value: expected a STRUCT row, found a struct with another schema");
        assertRefused(null, Map.of("a", List.of(new Object())), "value[\"a\"][0]: expected a value of a type that records may hold");
        assertRefused(io.openmessaging.connector.api.data.logical.Date.SCHEMA, new Date(1), "value: expected a date in whole days since 1970");
        assertRefused(new Schema(null, FieldType.STRUCT, List.of(new Field(3, "a", item))), "x", "value.a: expected a schema whose fields");
    }

    @Test
    void configurationThatCannotBeIsRefusedByKey() {
        assertThatThrownBy(() -> new JsonConverter().configure(Map.of("decimal.format", "hex")))
            .isInstanceOf(ConnectException.class).hasMessage("'decimal.format' cannot be 'hex'; it needs one of base64, numeric");
        assertThatThrownBy(() -> new JsonConverter().configure(Map.of("schemas.cache.size", "0")))
            .isInstanceOf(ConnectException.class).hasMessageStartingWith("'schemas.cache.size' cannot be '0'");
    }

    /** Whatever happens to the bytes on the way, it ends in a value or in a ConnectException. */
    @Property(tries = 3000)
    void damagedDocumentsNeverEndInAnotherException(@ForAll long seed) {
        RandomData data = new RandomData(seed);
        Random random = new Random(seed);
        Schema schema = random.nextInt(4) == 0 ? null : data.schema();
        Object value = schema == null ? data.freeForm(0) : data.value(schema);
        JsonConverter converter = new JsonConverter();
        byte[] document = converter.fromConnectData("t", schema, value);
        if (document == null) {
            return;
        }
        if (random.nextBoolean()) {
            converter.toConnectData("t", document);
        }
        for (int i = random.nextInt(3); i >= 0; i--) {
            document[random.nextInt(document.length)] = (byte) DAMAGE.charAt(random.nextInt(DAMAGE.length()));
        }
        Throwable thrown = catchThrowable(() -> converter.toConnectData("t", document));
        if (thrown != null) {
            assertThat(thrown).isInstanceOf(ConnectException.class);
        }
    }

    private static Struct struct(Schema schema, Object... values) {
        Struct struct = new Struct(schema);
        System.arraycopy(values, 0, struct.getValues(), 0, values.length);
        return struct;
    }

    private static void assertRefused(Schema schema, Object value, String message) {
        assertThatThrownBy(() -> new JsonConverter().fromConnectData("orders", schema, value))
            .isInstanceOf(ConnectException.class).hasMessageStartingWith("topic 'orders', " + message);
    }

    private static void assertRefused(JsonConverter converter, String document, String message) {
        assertThatThrownBy(() -> converter.toConnectData("orders", bytes(document)))
            .isInstanceOf(ConnectException.class).hasMessageStartingWith("topic 'orders', value").hasMessageContaining(message);
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}
