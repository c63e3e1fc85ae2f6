package io.sluice.converter.basic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.RecordConverter;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.errors.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireFormatTest {

    static Stream<Arguments> literals() {
        return Stream.of(
            new Arguments(new ShortConverter(), (short) -2, "fffe"),
            new Arguments(new IntegerConverter(), 258, "00000102"),
            new Arguments(new LongConverter(), Long.MAX_VALUE - 1, "7ffffffffffffffe"),
            new Arguments(new FloatConverter(), 1.5f, "3fc00000"),
            new Arguments(new FloatConverter(), Float.NaN, "7fc00000"),
            new Arguments(new DoubleConverter(), -2.25, "c002000000000000"),
            new Arguments(new BooleanConverter(), true, "01"),
            new Arguments(new BooleanConverter(), false, "00"),
            new Arguments(new BytesConverter(), new byte[] {0, 1, -1}, "0001ff"),
            new Arguments(new StringConverter(), "a\u00e9\u20ac\ud83d\ude00", "61c3a9e282acf09f9880"));
    }

    record Arguments(RecordConverter converter, Object value, String hex) {
    }

    @ParameterizedTest
    @MethodSource("literals")
    void writesAndReadsTheBytesThatKafkasSerializersWrite(Arguments given) {
        assertThat(given.converter().fromConnectData("t", null, given.value())).isEqualTo(HexFormat.of().parseHex(given.hex()));
        assertThat(given.converter().toConnectData("t", HexFormat.of().parseHex(given.hex())).value()).isEqualTo(given.value());
    }

    @ParameterizedTest
    @MethodSource("literals")
    void nullIsNullInBothDirections(Arguments given) {
        assertThat(given.converter().fromConnectData("t", null, null)).isNull();
        assertThat(given.converter().toConnectData("t", null).value()).isNull();
    }

    @Test
    void wrongLengthNamesTopicSideAndSize() {
        LongConverter converter = new LongConverter();
        converter.configure(Map.of("isKey", true));
        assertThatThrownBy(() -> converter.toConnectData("orders", new byte[3]))
            .isInstanceOf(ConnectException.class)
            .hasMessage("topic 'orders', key: expected a java.lang.Long in 8 bytes, found 3");
        assertThatThrownBy(() -> new BooleanConverter().toConnectData("orders", new byte[] {2}))
            .isInstanceOf(ConnectException.class)
            .hasMessage("topic 'orders', value: expected 1 for true or 0 for false, found 2");
        assertThatThrownBy(() -> new ShortConverter().toConnectData("orders", new byte[0])).isInstanceOf(ConnectException.class);
    }

    @Test
    void wrongTypeNamesTopicSideAndTypes() {
        assertThatThrownBy(() -> new IntegerConverter().fromConnectData("orders", null, 7L))
            .isInstanceOf(ConnectException.class)
            .hasMessage("topic 'orders', value: expected a java.lang.Integer, found a java.lang.Long");
        assertThatThrownBy(() -> new BytesConverter().fromConnectData("orders", null, "text"))
            .isInstanceOf(ConnectException.class)
            .hasMessageContaining("expected a byte array or a byte buffer, found a java.lang.String");
    }

    @Test
    void textThatTheEncodingCannotHoldIsRefusedNotReplaced() {
        StringConverter latin = new StringConverter();
        latin.configure(Map.of("converter.encoding", "ISO-8859-1"));
        assertThatThrownBy(() -> latin.fromConnectData("t", null, "5 \u20ac"))
            .isInstanceOf(ConnectException.class)
            .hasMessageContaining("expected text that ISO-8859-1 can hold, found a character at index 2");
        assertThat(latin.fromConnectData("t", null, "why?")).isEqualTo("why?".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> new StringConverter().fromConnectData("t", null, "half \ud83d"))
            .isInstanceOf(ConnectException.class)
            .hasMessageContaining("UTF-8");
    }

    @Test
    void bytesThatAreNoTextAreRefusedNotReplaced() {
        assertThatThrownBy(() -> new StringConverter().toConnectData("t", new byte[] {'a', 'b', (byte) 0xff}))
            .isInstanceOf(ConnectException.class)
            .hasMessage("topic 't', value: expected text in UTF-8, found bytes that are none at index 2");
        assertThat(new StringConverter().toConnectData("t", "\uFFFD".getBytes(StandardCharsets.UTF_8)).value()).isEqualTo("\uFFFD");
    }

    @Test
    void unknownEncodingIsRefusedByName() {
        assertThatThrownBy(() -> new StringConverter().configure(Map.of("encoding", "klingon")))
            .isInstanceOf(ConnectException.class)
            .hasMessageStartingWith("'encoding' cannot be 'klingon'");
    }

    @Test
    void otherValuesAreWrittenByTheirTextForm() {
        Schema schema = new Schema("row", FieldType.STRUCT, List.of(
            new Field(0, "id", SchemaBuilder.int32().build()),
            new Field(1, "blob", SchemaBuilder.bytes().build()),
            new Field(2, "none", SchemaBuilder.string().build())));
        Struct struct = new Struct(schema).put("id", 7).put("blob", new byte[] {1, 2});
        assertThat(text(struct)).isEqualTo("Struct{id=7,blob=AQI=}");
        assertThat(text(42L)).isEqualTo("42");
        assertThat(text(true)).isEqualTo("true");
        assertThat(text(Arrays.asList(1, null, "x"))).isEqualTo("[1, null, x]");
        assertThat(text(Map.of("a", List.of(struct)))).isEqualTo("{a=[Struct{id=7,blob=AQI=}]}");
        assertThat(text(new byte[] {1, 2})).isEqualTo("AQI=");
    }

    private static String text(Object value) {
        return new String(new StringConverter().fromConnectData("t", null, value), StandardCharsets.UTF_8);
    }
}
