package io.sluice.connector.jdbc.sink.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.data.logical.Time;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ConversionTest {

    private static final Schema INT32 = SchemaBuilder.int32().build();
    private static final Schema STRING = SchemaBuilder.string().build();
    private static final Schema TIMESTAMP = SchemaBuilder.timestamp().build();

    private final Rules berlin = new Rules(new Temporal(ZoneId.of("Europe/Berlin")), true);

    private Object convert(Schema schema, Target target, Object value) {
        return new Conversion(schema, target, Optional.empty(), berlin, false).convert(value);
    }

    @Test
    void timestampsTakeTheZoneOfTheDatabaseOnlyWhereTheColumnHasNone() {
        Date noon = Date.from(Instant.parse("2024-07-01T12:00:00.123Z"));
        assertThat(convert(TIMESTAMP, Target.TIMESTAMP, noon)).isEqualTo(LocalDateTime.parse("2024-07-01T14:00:00.123"));
        assertThat(convert(TIMESTAMP, Target.TIMESTAMP_ZONED, noon)).isEqualTo(OffsetDateTime.parse("2024-07-01T12:00:00.123Z"));
        assertThat(convert(TIMESTAMP, Target.TEXT, noon)).isEqualTo("2024-07-01T12:00:00.123Z");
        assertThat(convert(TIMESTAMP, Target.WHOLE, noon)).isEqualTo(noon.getTime());
    }

    @Test
    void datesAndTimesOfDayHaveNoZone() {
        assertThat(convert(SchemaBuilder.date().build(), Target.DATE, new Date(-86_400_000L))).isEqualTo(LocalDate.of(1969, 12, 31));
        assertThat(convert(Time.builder().build(), Target.TIME, new Date(86_399_999))).isEqualTo(LocalTime.parse("23:59:59.999"));
    }

    @Test
    void wholeNumbersStayExact() {
        assertThat(convert(SchemaBuilder.int64().build(), Target.WHOLE, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(convert(SchemaBuilder.decimal(0).build(), Target.WHOLE, new BigDecimal("18446744073709551615")))
            .isEqualTo(new BigDecimal("18446744073709551615"));
        assertThat(convert(null, Target.WHOLE, new BigInteger("42"))).isEqualTo(42L);
        assertThat(convert(null, Target.WHOLE, 3.0)).isEqualTo(3L);
        assertThatThrownBy(() -> convert(null, Target.WHOLE, 3.5)).isInstanceOf(DataProblem.class).hasMessage("the Double 3.5 cannot go into a column for whole numbers");
        assertThatThrownBy(() -> convert(SchemaBuilder.decimal(1).build(), Target.WHOLE, new BigDecimal("1.5"))).isInstanceOf(DataProblem.class);
        assertThatThrownBy(() -> convert(null, Target.WHOLE, "1e999999999")).isInstanceOf(DataProblem.class);
    }

    @Test
    void aFloatIsNotWidenedToDigitsItDoesNotHave() {
        Schema float32 = SchemaBuilder.float32().build();
        assertThat(convert(float32, Target.FLOAT, 0.1f)).isEqualTo(0.1f);
        assertThat(convert(float32, Target.DECIMAL, 0.1f)).isEqualTo(new BigDecimal("0.1"));
        assertThatThrownBy(() -> convert(SchemaBuilder.float64().build(), Target.DECIMAL, Double.NaN)).isInstanceOf(DataProblem.class);
    }

    @Test
    void decimalsAsTextAreWrittenOutUnlessThatIsEndless() {
        assertThat(convert(SchemaBuilder.decimal(2).build(), Target.TEXT, new BigDecimal("1E+3"))).isEqualTo("1000");
        assertThatThrownBy(() -> convert(SchemaBuilder.decimal(2).build(), Target.TEXT, new BigDecimal("1E+999999999"))).isInstanceOf(DataProblem.class);
    }

    @Test
    void textIsReadByTheColumnsType() {
        assertThat(convert(STRING, Target.WHOLE, " 12 ")).isEqualTo(12L);
        assertThat(convert(STRING, Target.BOOLEAN, "TRUE")).isEqualTo(true);
        assertThat(convert(STRING, Target.DATE, "2024-02-29")).isEqualTo(LocalDate.of(2024, 2, 29));
        assertThat(convert(STRING, Target.TIMESTAMP, "2024-02-29 10:11:12.5")).isEqualTo(LocalDateTime.parse("2024-02-29T10:11:12.5"));
        assertThat(convert(STRING, Target.TIMESTAMP, "2024-02-29T10:11:12Z")).isEqualTo(LocalDateTime.parse("2024-02-29T11:11:12"));
        assertThat(convert(STRING, Target.TIMESTAMP_ZONED, "2024-02-29T10:11:12+05:30").toString()).isEqualTo("2024-02-29T10:11:12+05:30");
        assertThat(convert(STRING, Target.TIME, "10:11:12.000001")).isEqualTo(LocalTime.parse("10:11:12.000001"));
        assertThat(convert(STRING, Target.UUID, "123e4567-e89b-12d3-a456-426614174000")).isEqualTo(UUID.fromString("123e4567-e89b-12d3-a456-426614174000"));
        assertThatThrownBy(() -> convert(STRING, Target.WHOLE, "abc")).isInstanceOf(DataProblem.class).hasMessage("the text 'abc' is no number");
        assertThatThrownBy(() -> convert(STRING, Target.TIMESTAMP, "yesterday")).isInstanceOf(DataProblem.class);
        assertThat(new Conversion(STRING, Target.TIMESTAMP, Optional.empty(), berlin, true).convert("infinity")).isEqualTo(new RawText("infinity"));
    }

    @Test
    void bytesComeFromBuffersWithoutMovingThem() {
        ByteBuffer buffer = ByteBuffer.wrap(new byte[] {1, 2, 3});
        assertThat((byte[]) convert(SchemaBuilder.bytes().build(), Target.BINARY, buffer)).containsExactly(1, 2, 3);
        assertThat(buffer.remaining()).isEqualTo(3);
        assertThat((byte[]) convert(null, Target.BINARY, "AQID")).as("bytes without a schema are base64").containsExactly(1, 2, 3);
        assertThatThrownBy(() -> convert(STRING, Target.BINARY, "AQID")).isInstanceOf(DataProblem.class);
    }

    @Test
    void aValueThatIsNotWhatItsSchemaSaysIsRefused() {
        assertThatThrownBy(() -> convert(INT32, Target.WHOLE, "1")).isInstanceOf(DataProblem.class).hasMessage("its schema says INT32, but it is the text '1'");
    }

    @Test
    void nestedValuesBecomeJsonWithAllTheirDigits() {
        Schema inner = SchemaBuilder.struct().field("d", SchemaBuilder.decimal(20).build()).field("b", SchemaBuilder.bytes().build())
            .field("t", TIMESTAMP).field("l", SchemaBuilder.array(SchemaBuilder.int64().build()).build()).field("n", STRING).build();
        Struct struct = new Struct(inner).put("d", new BigDecimal("1.00000000000000000001")).put("b", new byte[] {1}).put("t", new Date(0))
            .put("l", List.of(Long.MAX_VALUE));
        assertThat(convert(inner, Target.TEXT, struct))
            .isEqualTo("{\"d\":1.00000000000000000001,\"b\":\"AQ==\",\"t\":\"1970-01-01T00:00:00Z\",\"l\":[9223372036854775807],\"n\":null}");
        assertThat(convert(null, Target.TEXT, Map.of("a", List.of(1, "x")))).isEqualTo("{\"a\":[1,\"x\"]}");
        Conversion strict = new Conversion(inner, Target.TEXT, Optional.empty(), new Rules(new Temporal(ZoneOffset.UTC), false), false);
        assertThatThrownBy(() -> strict.convert(struct)).isInstanceOf(DataProblem.class).hasMessageContaining("nested.values=json");
    }

    @Test
    void arraysOfAnyDepthConvertTheirElements() {
        Schema list = SchemaBuilder.array(SchemaBuilder.array(TIMESTAMP).build()).build();
        Conversion conversion = new Conversion(list, Target.ARRAY, Optional.of(Target.TIMESTAMP), berlin, false);
        assertThat(conversion.convert(List.of(List.of(new Date(0))))).isEqualTo(List.of(List.of(LocalDateTime.parse("1970-01-01T01:00:00"))));
    }
}
