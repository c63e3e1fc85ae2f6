package io.sluice.converter.basic;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.RecordConverter;
import io.openmessaging.connector.api.data.SchemaAndValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;

class RoundTripTest {

    @Property(tries = 300)
    void shorts(@ForAll short value) {
        assertThat(roundTrip(new ShortConverter(), FieldType.INT16, value)).isEqualTo(value);
    }

    @Property(tries = 300)
    void ints(@ForAll int value) {
        assertThat(roundTrip(new IntegerConverter(), FieldType.INT32, value)).isEqualTo(value);
    }

    @Property(tries = 300)
    void longs(@ForAll long value) {
        assertThat(roundTrip(new LongConverter(), FieldType.INT64, value)).isEqualTo(value);
    }

    @Property(tries = 300)
    void floatsBitByBit(@ForAll int bits) {
        float value = Float.intBitsToFloat(bits);
        assertThat(roundTrip(new FloatConverter(), FieldType.FLOAT32, value)).isEqualTo(value);
    }

    @Property(tries = 300)
    void doublesBitByBit(@ForAll long bits) {
        double value = Double.longBitsToDouble(bits);
        assertThat(roundTrip(new DoubleConverter(), FieldType.FLOAT64, value)).isEqualTo(value);
    }

    @Property(tries = 2)
    void booleans(@ForAll boolean value) {
        assertThat(roundTrip(new BooleanConverter(), FieldType.BOOLEAN, value)).isEqualTo(value);
    }

    @Property(tries = 300)
    void bytes(@ForAll byte[] value) {
        assertThat(roundTrip(new BytesConverter(), FieldType.BYTES, value)).isEqualTo(value);
        ByteBuffer buffer = ByteBuffer.wrap(value);
        assertThat(roundTrip(new BytesConverter(), FieldType.BYTES, buffer)).isEqualTo(value);
        assertThat(buffer.remaining()).isEqualTo(value.length);
    }

    /** Any string of code points; a lone half of a surrogate pair is no text and has its own test. */
    @Property(tries = 500)
    void textInEveryUnicodeEncoding(@ForAll int[] codePoints) {
        StringBuilder builder = new StringBuilder();
        for (int point : codePoints) {
            int valid = Math.floorMod(point, Character.MAX_CODE_POINT + 1);
            builder.appendCodePoint(valid >= Character.MIN_SURROGATE && valid <= Character.MAX_SURROGATE ? '?' : valid);
        }
        String value = builder.toString();
        for (String encoding : new String[] {"UTF-8", "UTF-16", "UTF-16LE", "UTF-32", "GB18030"}) {
            StringConverter converter = new StringConverter();
            converter.configure(Map.of("encoding", encoding));
            assertThat(roundTrip(converter, FieldType.STRING, value)).as(encoding).isEqualTo(value);
        }
    }

    @Property(tries = 200)
    void latinTextInLatinEncoding(@ForAll @CharRange(from = 0, to = 255) String value) {
        StringConverter converter = new StringConverter();
        converter.configure(Map.of("encoding", "ISO-8859-1"));
        assertThat(converter.fromConnectData("t", null, value)).isEqualTo(value.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(roundTrip(converter, FieldType.STRING, value)).isEqualTo(value);
    }

    private static Object roundTrip(RecordConverter converter, FieldType type, Object value) {
        SchemaAndValue read = converter.toConnectData("t", converter.fromConnectData("t", null, value));
        assertThat(read.schema().getFieldType()).isEqualTo(type);
        assertThat(read.schema().isOptional()).isTrue();
        return read.value();
    }
}
