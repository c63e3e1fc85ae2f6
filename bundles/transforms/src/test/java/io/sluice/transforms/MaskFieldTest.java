package io.sluice.transforms;

import static io.sluice.transforms.Samples.ROW;
import static io.sluice.transforms.Samples.fromQueue;
import static io.sluice.transforms.Samples.fromSource;
import static io.sluice.transforms.Samples.row;
import static io.sluice.transforms.Samples.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.data.logical.Decimal;
import io.openmessaging.connector.api.data.logical.Timestamp;
import io.openmessaging.connector.api.errors.ConnectException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MaskFieldTest {

    private static final Schema[] TYPES = {SchemaBuilder.bool().build(), SchemaBuilder.int8().build(), SchemaBuilder.int16().build(),
        SchemaBuilder.int32().build(), SchemaBuilder.int64().build(), SchemaBuilder.float32().build(), SchemaBuilder.float64().build(),
        SchemaBuilder.string().build(), SchemaBuilder.bytes().build(), Decimal.schema(2), Timestamp.SCHEMA,
        SchemaBuilder.array(SchemaBuilder.string().build()).build(),
        SchemaBuilder.map(SchemaBuilder.string().build(), SchemaBuilder.string().build()).build()};
    private static final Object[] VALUES = {true, (byte) 1, (short) 2, 3, 4L, 5f, 6d, "seven", new byte[] {8}, new BigDecimal("9.00"),
        new Date(10), List.of("eleven"), Map.of("twelve", "13")};
    private static final Object[] NOTHING = {false, (byte) 0, (short) 0, 0, 0L, 0f, 0d, "", new byte[0], new BigDecimal("0.00"),
        new Date(0), List.of(), Map.of()};

    @Test
    void putsNothingOfItsTypeIntoEveryFieldNamed() {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < TYPES.length; i++) {
            fields.add(new Field(i, "f" + i, TYPES[i]));
        }
        Struct struct = new Struct(new Schema("all", FieldType.STRUCT, fields));
        System.arraycopy(VALUES, 0, struct.getValues(), 0, VALUES.length);
        MaskField.Value mask = started(new MaskField.Value(), "fields", "f0,f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11,f12");

        Struct masked = (Struct) mask.doTransform(fromSource(struct.schema(), struct)).getData();

        assertThat(masked.getValues()).isEqualTo(NOTHING);
        assertThat(masked.schema()).isSameAs(struct.schema());
        masked.validate();
        assertThat(struct.getValues()).isEqualTo(VALUES);
    }

    @Test
    void masksMapsByTheTypeOfTheirValues() {
        Map<String, Object> map = new LinkedHashMap<>();
        Map<String, Object> nothing = new LinkedHashMap<>();
        for (int i = 0; i < VALUES.length; i++) {
            map.put("f" + i, VALUES[i]);
            nothing.put("f" + i, VALUES[i] instanceof BigDecimal ? BigDecimal.ZERO : NOTHING[i]);
        }
        map.put("big", BigInteger.TEN);
        nothing.put("big", BigInteger.ZERO);
        map.put("kept", "kept");
        nothing.put("kept", "kept");
        MaskField.Value mask = started(new MaskField.Value(), "fields", "f0,f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11,f12,big,absent");

        Object masked = mask.doTransform(fromQueue(null, map)).getData();

        assertThat(masked).usingRecursiveComparison().isEqualTo(nothing);
        assertThat(map).containsEntry("f7", "seven");
    }

    @Test
    void putsTheReplacementIntoTextsAndNumbers() {
        MaskField.Value mask = started(new MaskField.Value(), "fields", "id, name", "replacement", "42");
        Struct masked = (Struct) mask.doTransform(fromSource(ROW, row(7, "Ann"))).getData();
        assertThat(masked.getValues()).containsExactly(42L, "42");
        assertThat(mask.doTransform(fromSource(null, Map.of("id", 7, "name", "Ann"))).getData()).isEqualTo(Map.of("id", 42, "name", "42"));
    }

    @Test
    void leavesNullAndTombstoneAsTheyAre() {
        MaskField.Value mask = started(new MaskField.Value(), "fields", "name");
        assertThat(((Struct) mask.doTransform(fromSource(ROW, row(7, null))).getData()).getValues()).containsExactly(7L, null);
        ConnectRecord tombstone = fromQueue(null, null);
        assertThat(mask.doTransform(tombstone)).isSameAs(tombstone);
    }

    @Test
    void worksOnTheSideThatItsNameSays() {
        ConnectRecord record = fromQueue(ROW, row(7, "Ann"));
        record.setKeySchema(ROW);
        record.setKey(row(7, "Ann"));
        record.addExtension("x", "y");
        ConnectRecord masked = started(new MaskField.Key(), "fields", "name").doTransform(record);
        assertThat(((Struct) masked.getKey()).get("name")).isEqualTo("");
        assertThat(masked.getData()).isSameAs(record.getData());
        assertThat(masked.getPosition()).isSameAs(record.getPosition());
        assertThat(masked.getTimestamp()).isEqualTo(1000L);
        assertThat(masked.getExtension("x")).isEqualTo("y");
        assertThat(((Struct) record.getKey()).get("name")).isEqualTo("Ann");
    }

    @Test
    void refusesWhatCannotBeMasked() {
        Schema outer = new Schema("outer", FieldType.STRUCT, List.of(new Field(0, "row", ROW)));
        Struct struct = new Struct(outer).put("row", row(7, "Ann"));
        assertRefused(fromSource(outer, struct), "value: field 'row': a STRUCT cannot be masked", "fields", "row");
        assertRefused(fromQueue(ROW, row(7, "Ann")), "value: field 'id': the replacement 'xxx' is not a 64-bit integer",
            "fields", "id", "replacement", "xxx");
        assertRefused(fromSource(null, Map.of("ok", true)), "value: field 'ok': a boolean cannot be masked with a replacement, "
            + "only a text or number can", "fields", "ok", "replacement", "1");
        assertRefused(fromSource(null, "text"), "value: expected a map with names for keys, since there is no schema, found a "
            + "java.lang.String", "fields", "id");
        assertRefused(fromSource(SchemaBuilder.string().build(), "text"), "value: expected a struct, found a java.lang.String",
            "fields", "id");
        assertThatThrownBy(() -> started(new MaskField.Key(), "fields", " ")).isInstanceOf(ConnectException.class)
            .hasMessage("mask-field-key: 'fields' is missing; it needs the names of the fields to mask");
    }

    private static void assertRefused(ConnectRecord record, String message, String... config) {
        MaskField.Value mask = started(new MaskField.Value(), config);
        assertThatThrownBy(() -> mask.doTransform(record)).isInstanceOf(ConnectException.class)
            .hasMessage("mask-field: topic 'shop-orders', " + message);
    }
}
